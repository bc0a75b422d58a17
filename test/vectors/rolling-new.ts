import { sizeNewReplicaSet } from "../../src/decisions/rollout/new-replica-set.ts";
import { checkSizing } from "./check-sizing.ts";

/** One pass that sizes the new ReplicaSet in a rolling update. */
export const checkRollingNew = checkSizing((revisions) => {
  const result = sizeNewReplicaSet(revisions);
  return result.kind === "proceed" ? result.actions : [];
});
