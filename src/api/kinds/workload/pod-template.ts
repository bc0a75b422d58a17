import { deletionCostAnnotation, parseDeletionCost } from "../../deletion-cost.ts";
import { forbidden, invalid } from "../../field-error.ts";
import type { PodTemplateSpec } from "../../generated/core-v1.ts";
import { validateLabels } from "../../labels/label-syntax.ts";
import { type FieldErrors, none } from "../field-checks.ts";
import type { StrategyContext } from "../kind-strategy.ts";
import { validateAnnotations } from "../object-meta/validate-object-meta.ts";
import { validateAppArmorAnnotations, validateAppArmorProfiles } from "../pod-spec/app-armor-annotations.ts";
import { podSpecDefaults } from "../pod-spec/pod-spec-defaults.ts";
import { podWarnings } from "../pod-spec/pod-warnings.ts";
import { validatePodSpec } from "../pod-spec/validation/pod-spec.ts";
import type { Sent } from "../sent.ts";

/** A template with the defaults of a Pod spec. */
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

/** Warnings about the template of a workload's Pods, when the workload is new or its spec changed. */
export function templateWarnings(object: Templated, stored: Templated | undefined): readonly string[] {
  return isSameGeneration(object, stored) ? [] : podWarnings(object.spec?.template, "spec.template");
}

/** Whether an update leaves the spec, or what a kind has instead, as it is. */
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
  const annotations = { annotations: metadata.annotations, stored: stored?.metadata?.annotations };
  const at = `${path}.spec.ephemeralContainers`;
  return [
    ...validateLabels(metadata.labels, `${path}.labels`),
    ...validateAnnotations(metadata.annotations, `${path}.annotations`),
    ...validatePodAnnotations(annotations, `${path}.annotations`, context),
    ...validateAppArmorAnnotations(template, `${path}.annotations`),
    ...validatePodSpec(spec, `${path}.spec`, "template"),
    ...validateAppArmorProfiles(template, `${path}.spec`),
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [forbidden(at, "ephemeral containers not allowed in pod template")]
      : none),
  ];
}

type Annotations = Readonly<Record<string, string>> | undefined;

/** Annotations of a Pod or of a template, and those they replace. */
interface PodAnnotations {
  readonly annotations: Annotations;
  readonly stored: Annotations;
}

/** Validates the annotations that have a meaning on Pods. An invalid deletion cost that is already stored is tolerated. */
export function validatePodAnnotations(
  { annotations, stored }: PodAnnotations,
  path: string,
  { gates }: StrategyContext,
): FieldErrors {
  if (!gates.PodDeletionCost || isGoodCost(annotations) || !isGoodCost(stored)) return none;
  const cost = annotations?.[deletionCostAnnotation];
  return [invalid(`${path}[${deletionCostAnnotation}]`, cost, "must be a 32bit integer")];
}

function isGoodCost(annotations: Annotations): boolean {
  const cost = annotations?.[deletionCostAnnotation];
  return cost === undefined || parseDeletionCost(cost) !== undefined;
}
