import { deletionCostAnnotation, parseDeletionCost } from "../../../../../api/deletion-cost.ts";
import { invalid } from "../../../../../api/field-error.ts";
import type { PodTemplateSpec } from "../../../../../api/generated/core-v1.ts";
import { mirrorAnnotation } from "../../../../../api/pod-state.ts";
import { type FieldErrors, none } from "../../../../../api/field-checks.ts";
import type { StrategyContext } from "../../kind-strategy.ts";
import type { Sent } from "../../../../../api/sent.ts";
import { validateAppArmorAnnotations } from "../app-armor-annotations.ts";

/** A Pod or a template, and the one it replaces. */
interface AnnotatedPod {
  readonly pod: Sent<PodTemplateSpec>;
  readonly stored: Sent<PodTemplateSpec> | undefined;
}

/** Validates the annotations that have a meaning on Pods; the path is that of the annotations. */
export function validatePodAnnotations(
  { pod, stored }: AnnotatedPod,
  path: string,
  { gates }: StrategyContext,
): FieldErrors {
  if (pod.metadata?.annotations === undefined) return none;
  return [
    ...validateMirror(pod, path),
    ...(gates.PodDeletionCost ? validateCost({ pod, stored }, path) : none),
    ...validateAppArmorAnnotations(pod, path),
  ];
}

type Annotations = Readonly<Record<string, string>> | undefined;

function validateMirror({ metadata, spec = {} }: Sent<PodTemplateSpec>, path: string): FieldErrors {
  const mirrored = metadata?.annotations?.[mirrorAnnotation];
  if (mirrored === undefined || (spec.nodeName ?? "") !== "") return none;
  const rule = "must set spec.nodeName if mirror pod annotation is set";
  return [invalid(`${path}[${mirrorAnnotation}]`, mirrored, rule)];
}

/** Validates the deletion cost; an invalid one that is already stored is tolerated. */
function validateCost({ pod, stored }: AnnotatedPod, path: string): FieldErrors {
  const annotations = pod.metadata?.annotations;
  if (isGoodCost(annotations) || !isGoodCost(stored?.metadata?.annotations)) return none;
  const cost = annotations?.[deletionCostAnnotation];
  return [invalid(`${path}[${deletionCostAnnotation}]`, cost, "must be a 32bit integer")];
}

function isGoodCost(annotations: Annotations): boolean {
  const cost = annotations?.[deletionCostAnnotation];
  return cost === undefined || parseDeletionCost(cost) !== undefined;
}
