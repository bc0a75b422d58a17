import { shrinkOldReplicaSets } from "../../src/decisions/rollout/rolling-update.ts";
import { checkSizing } from "./check-sizing.ts";

/** One pass that shrinks the old ReplicaSets in a rolling update. */
export const checkRollingOld = checkSizing((revisions) => shrinkOldReplicaSets(revisions).actions);
