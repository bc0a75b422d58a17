import { defaultFeatureGates } from "../api/feature-gates.ts";
import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import { parseTime } from "../api/time.ts";
import type { RolloutState } from "../decisions/rollout/state.ts";
import { deployment, type DeploymentTraits } from "./deployment.ts";

/** Builds the state of a rollout of the Deployment `web` with these ReplicaSets, at noon on 2026-01-01 with all gates on. */
export function rolloutState(
  traits: DeploymentTraits,
  replicaSets: readonly ReplicaSet[],
  more: Partial<RolloutState> = {},
): RolloutState {
  const now = parseTime("2026-01-01T12:00:00Z") ?? 0;
  return { deployment: deployment("web", traits), replicaSets, gates: defaultFeatureGates, now, ...more };
}
