import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { countOf, podsOf, sizeOf } from "../rollout/counts.ts";

/**
 * Whether a ReplicaSet has removed what it had to for a size of this generation. Its status alone would not do: a removal
 * of more than 500 Pods goes in batches, and if marks were removed in between, later batches would remove survivors.
 */
export function hasShrunk(replicaSet: ReplicaSet, generation: number, active: number): boolean {
  const { metadata, status } = replicaSet;
  return (
    countOf(metadata.generation) >= generation &&
    countOf(status?.observedGeneration) >= generation &&
    podsOf(replicaSet) <= sizeOf(replicaSet) &&
    active <= sizeOf(replicaSet)
  );
}
