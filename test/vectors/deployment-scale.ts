import { scaleReplicaSets } from "../../src/decisions/rollout/scale.ts";
import { checkSizing } from "./sized-fleet.ts";

/** One pass of the scale path. */
export const checkDeploymentScale = checkSizing((fleet) => {
  const step = scaleReplicaSets(fleet);
  return step.kind === "go" ? step.actions : [];
});
