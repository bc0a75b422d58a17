import { forbidden } from "../../field-error.ts";
import type { PodTemplateSpec } from "../../generated/core-v1.ts";
import { validateLabels } from "../../labels/label-syntax.ts";
import { type FieldErrors, none } from "../field-checks.ts";
import type { StrategyContext } from "../kind-strategy.ts";
import { validateAnnotations } from "../object-meta/annotations.ts";
import { validatePodSpec } from "../pod-spec/validation/pod-spec.ts";
import type { Sent } from "../sent.ts";
import { validatePodAnnotations } from "./pod-annotations.ts";

/** A template, and the one it replaces. */
export interface Templates {
  readonly template: Sent<PodTemplateSpec>;
  readonly stored: Sent<PodTemplateSpec> | undefined;
}

// upstream leaves `metadata` out of these paths
/** Validates the template of a workload's Pods. */
export function validateTemplate(
  { template, stored }: Templates,
  path: string,
  occasion: StrategyContext,
): FieldErrors {
  const { metadata = {}, spec = {} } = template;
  const annotations = { annotations: metadata.annotations, stored: stored?.metadata?.annotations };
  const at = `${path}.spec.ephemeralContainers`;
  return [
    ...validateLabels(metadata.labels, `${path}.labels`),
    ...validateAnnotations(metadata.annotations, `${path}.annotations`),
    ...validatePodAnnotations(annotations, `${path}.annotations`, occasion),
    ...validatePodSpec(spec, `${path}.spec`, "template"),
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [forbidden(at, "ephemeral containers not allowed in pod template")]
      : none),
  ];
}
