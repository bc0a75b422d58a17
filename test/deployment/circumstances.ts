import type { PodReplacementPolicy } from "../../src/api/workload-settings.ts";
import {
  type Gates,
  startDeploymentFixture,
  type DeploymentFixture,
  type DeploymentFixtureOptions,
} from "./fixture.ts";

/** Under what a Deployment is rolled out or scaled: a policy, and controllers that go by it or do not know it. */
export interface Circumstance {
  /** Ends a sentence. */
  readonly under: string;
  readonly policy: PodReplacementPolicy | undefined;
  readonly controllerGates: Gates;
  /** What the policy amounts to: with its gate off it is as good as unset. */
  readonly effective: PodReplacementPolicy | undefined;
}

const on = { controllerGates: {} };

export const withoutPolicy: Circumstance = {
  under: "without a policy",
  policy: undefined,
  effective: undefined,
  ...on,
};
export const underStarted: Circumstance = {
  under: "under TerminationStarted",
  policy: "TerminationStarted",
  effective: "TerminationStarted",
  ...on,
};
export const underComplete: Circumstance = {
  under: "under TerminationComplete",
  policy: "TerminationComplete",
  effective: "TerminationComplete",
  ...on,
};
/** The policy that changes most, where the controllers' gate is off. */
export const gatedOff: Circumstance = {
  under: "under TerminationComplete with the gate off",
  policy: "TerminationComplete",
  effective: undefined,
  controllerGates: { DeploymentPodReplacementPolicy: false },
};

/** Where terminating Pods are not even counted. */
export const uncounted: Circumstance = {
  under: "where nobody counts terminating Pods",
  policy: undefined,
  effective: undefined,
  controllerGates: { DeploymentPodReplacementPolicy: false, DeploymentReplicaSetTerminatingReplicas: false },
};

/** What every rollout and every scale is tried under. */
export const circumstances: readonly Circumstance[] = [withoutPolicy, underStarted, underComplete, gatedOff];

/** A fixture whose controllers have the gates of a circumstance. */
export function startUnder(
  { controllerGates }: Circumstance,
  options: DeploymentFixtureOptions = {},
): Promise<DeploymentFixture> {
  return startDeploymentFixture({ ...options, controllerGates });
}
