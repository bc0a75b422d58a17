import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { countOf, sizeOf } from "../rollout/counts.ts";

/**
 * On a ReplicaSet whose scale-down passed admission: the generation that it has since. A label, not an annotation, for the
 * reason that `roomLabel` gives.
 */
export const admittedLabel = "trimtab.dev/admitted";

/** JSON patch operations that label a ReplicaSet in its request as asked about; `generation` is the one before. */
export function admittedPatch(labels: JsonObject | undefined, generation: number): readonly JsonObject[] {
  const path = `/metadata/labels/${admittedLabel.replace("/", "~1")}`;
  return [
    ...(labels === undefined ? [{ op: "add", path: "/metadata/labels", value: {} }] : []),
    { op: "add", path, value: String(generation + 1) },
  ];
}

/**
 * Whether a ReplicaSet has shrunk without having passed admission. Nothing is certain where a generation in between has not
 * been seen, and nothing is lost where no Pod is left to choose.
 */
export function isUnasked(before: ReplicaSet, now: ReplicaSet): boolean {
  const generation = countOf(now.metadata.generation);
  const hasShrunk = sizeOf(now) < sizeOf(before) && sizeOf(now) > 0;
  const isNext = generation === countOf(before.metadata.generation) + 1;
  return hasShrunk && isNext && now.metadata.labels?.[admittedLabel] !== String(generation);
}
