import type { Deployment, ReplicaSet } from "./generated/apps-v1.ts";
import type { FeatureGates } from "./feature-gates.ts";
import type { StoredObject } from "./object.ts";
import { parseJson } from "./parse-json.ts";

/** When a Deployment replaces a terminating Pod: once its termination has started, or once it is complete. */
export type PodReplacementPolicy = "TerminationStarted" | "TerminationComplete";

// An API server that does not know our fields drops them; there the same settings are annotations.
export const podReplacementPolicyAnnotation = "trimtab.dev/pod-replacement-policy";
export const downscalePodPickerAnnotation = "trimtab.dev/downscale-pod-picker";

/** Whether scale-downs of a workload keep its domains even, whatever the gate `TopologyAwareScaleDown` says. */
export const scaleDownSpreadAnnotation = "trimtab.dev/scale-down-spread";

/**
 * The order in which the Pods of a workload are removed: `consolidate` empties nodes. `trimtab`, for `trimtab steer`, asks
 * for the usual order in place of the stock one.
 */
export const removalOrderAnnotation = "trimtab.dev/removal-order";

/** Whether `trimtab steer` steers a workload, only says what it would do, or leaves it alone. */
export const steeringModeAnnotation = "trimtab.dev/mode";

/** Whether a workload asks for its Pods to be removed so that nodes become empty; spread excludes it. */
export function isConsolidated(workload: Pick<StoredObject, "metadata">): boolean {
  return removalOrderOf(workload) === "consolidate" && scaleDownSpreadOf(workload) !== true;
}

function removalOrderOf({ metadata }: Pick<StoredObject, "metadata">): unknown {
  return metadata?.annotations?.[removalOrderAnnotation];
}

const shownLength = 60;

/** What is wrong with the removal order that a workload asks for, as a sentence; `undefined` if nothing is. */
export function removalOrderProblem(workload: Pick<StoredObject, "metadata">): string | undefined {
  const order = removalOrderOf(workload);
  if (order === undefined || order === "trimtab") return undefined;
  if (order !== "consolidate") {
    const shown = JSON.stringify(order).slice(0, shownLength);
    return `Annotation ${removalOrderAnnotation} is ${shown}, which is neither "consolidate" nor "trimtab"; Pods are removed in the usual order`;
  }
  return scaleDownSpreadOf(workload) === true
    ? `Annotations ${removalOrderAnnotation}: consolidate and ${scaleDownSpreadAnnotation}: true exclude each other: one empties domains, the other keeps them even; the Pods are spread`
    : undefined;
}

/** Reads a workload's annotation: `undefined` without one, `"invalid"` if it is neither `true` nor `false`. */
export function scaleDownSpreadOf({
  metadata,
}: Pick<StoredObject, "metadata">): boolean | "invalid" | undefined {
  const value: unknown = metadata?.annotations?.[scaleDownSpreadAnnotation];
  if (value === undefined) return undefined;
  if (value === "true" || value === "false") return value === "true";
  return "invalid";
}

/** Reports whether scale-downs of a workload keep its domains even. With an invalid value, the gate decides. */
export function isSpreadOnScaleDown(workload: Pick<StoredObject, "metadata">, gates: FeatureGates): boolean {
  const own = scaleDownSpreadOf(workload);
  return typeof own === "boolean" ? own : gates.TopologyAwareScaleDown;
}

/** A Deployment's replacement policy, from the field or else from the annotation; an unknown one counts as unset. */
export function podReplacementPolicyOf(deployment: Deployment): PodReplacementPolicy | undefined {
  const policy =
    deployment.spec.podReplacementPolicy ?? deployment.metadata.annotations?.[podReplacementPolicyAnnotation];
  return policy === "TerminationStarted" || policy === "TerminationComplete" ? policy : undefined;
}

/**
 * The pod picker of a workload, from the field or else from the annotation, not validated; an annotation that is not
 * JSON, or nested too deeply, is returned as its text, so that validation reports it.
 */
export function downscalePodPickerOf({ spec, metadata }: Deployment | ReplicaSet): unknown {
  const field = spec.downscalePodPicker ?? undefined;
  const annotation = metadata.annotations?.[downscalePodPickerAnnotation];
  if (field !== undefined || annotation === undefined) return field;
  const parsed = parseJson(annotation);
  return parsed.ok ? (parsed.value ?? undefined) : annotation;
}
