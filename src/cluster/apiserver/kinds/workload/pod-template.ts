import { forbidden } from "../../../../api/field-error.ts";
import type { PodTemplateSpec } from "../../../../api/generated/core-v1.ts";
import { validateLabels } from "../../../../api/labels/label-syntax.ts";
import { type FieldErrors, none } from "../../../../api/field-checks.ts";
import type { StrategyContext } from "../kind-strategy.ts";
import { validateAnnotations } from "../object-meta/validate-object-meta.ts";
import { validateAppArmorProfiles } from "../pod-spec/app-armor-annotations.ts";
import { podSpecDefaults } from "../../../../api/pod/pod-spec-defaults.ts";
import { podWarnings } from "../pod-spec/pod-warnings.ts";
import { validatePodAnnotations } from "../pod-spec/validation/pod-annotations.ts";
import { validatePodSpec } from "../pod-spec/validation/pod-spec.ts";
import type { Sent } from "../../../../api/sent.ts";

/** Returns a template with the defaults of a Pod spec. */
export function templateDefaults(template: Sent<PodTemplateSpec>): Sent<PodTemplateSpec> {
  const { spec = {} } = template;
  const filled = podSpecDefaults(spec);
  return filled === template.spec ? template : { ...template, spec: filled };
}

/** A template, and the one it replaces. */
export interface Templates {
  readonly template: Sent<PodTemplateSpec>;
  readonly stored: Sent<PodTemplateSpec> | undefined;
}

interface Generated {
  readonly metadata?: { readonly generation?: number };
}

interface Templated extends Generated {
  readonly spec?: { readonly template?: Sent<PodTemplateSpec> };
}

/** Returns warnings about the template of a workload's Pods, when the workload is new or its spec changed. */
export function templateWarnings(object: Templated, stored: Templated | undefined): readonly string[] {
  return isSameGeneration(object, stored) ? [] : podWarnings(object.spec?.template, "spec.template");
}

/** Reports whether an update does not change the spec, or what a kind has instead. */
export function isSameGeneration(object: Generated, stored: Generated | undefined): boolean {
  return stored !== undefined && object.metadata?.generation === stored.metadata?.generation;
}

// upstream leaves `metadata` out of these paths
/** Validates the template of a workload's Pods. */
export function validateTemplate(
  { template, stored }: Templates,
  path: string,
  context: StrategyContext,
): FieldErrors {
  const { metadata = {}, spec = {} } = template;
  const at = `${path}.spec.ephemeralContainers`;
  return [
    ...validateLabels(metadata.labels, `${path}.labels`),
    ...validateAnnotations(metadata.annotations, `${path}.annotations`),
    ...validatePodAnnotations({ pod: template, stored }, `${path}.annotations`, context),
    ...validatePodSpec(spec, `${path}.spec`, "template"),
    ...validateAppArmorProfiles(template, `${path}.spec`),
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [forbidden(at, "ephemeral containers not allowed in pod template")]
      : none),
  ];
}
