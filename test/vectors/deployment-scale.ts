import { proportionalShares } from "../../src/decisions/rollout/proportional-scale.ts";
import { scaleReplicaSets } from "../../src/decisions/rollout/scale.ts";
import { checkSizing } from "./check-sizing.ts";

/** One pass of the scale path, shared out as Kubernetes does: without our check of the surge. */
export const checkDeploymentScale = checkSizing((revisions) => {
  const result = scaleReplicaSets(revisions, proportionalShares);
  return result.kind === "proceed" ? result.actions : [];
});
