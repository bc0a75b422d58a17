import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { JsonObject } from "../../api/json.ts";

/**
 * On a ReplicaSet that got less than was asked for it. Admission writes it with the smaller size, so that the copy that
 * wakes capped Deployments knows of those that another copy has capped. Its value never changes: `kubectl rollout undo`
 * can take it to the Deployment, whose controller copies it to ReplicaSets, and the two would write it in turn for ever.
 */
export const cappedAnnotation = "trimtab.dev/capped";

/** Whether a ReplicaSet was admitted with a smaller size than its Deployment asked for. */
export function isCapped({ metadata }: Pick<ReplicaSet, "metadata">): boolean {
  return metadata.annotations?.[cappedAnnotation] !== undefined;
}

export interface AdmittedGrowth {
  readonly asked: number;
  readonly size: number;
  /** The annotations of the ReplicaSet in the request; a Scale has none to write. */
  readonly annotations: JsonObject | undefined;
}

/** JSON patch operations that give a ReplicaSet the size it was admitted with and say whether that is less; none: as asked. */
export function growthPatch({ asked, size, annotations }: AdmittedGrowth): readonly JsonObject[] {
  const path = `/metadata/annotations/${cappedAnnotation.replace("/", "~1")}`;
  if (size === asked) return annotations?.[cappedAnnotation] === undefined ? [] : [{ op: "remove", path }];
  return [
    { op: "replace", path: "/spec/replicas", value: size },
    ...(annotations === undefined ? [] : [{ op: "add", path, value: "true" }]),
  ];
}
