import type { PodReplacementPolicy } from "../../src/api/workload-settings.ts";
import {
  type Gates,
  startDeploymentFixture,
  type DeploymentFixture,
  type DeploymentFixtureOptions,
} from "./fixture.ts";

/** Under what a Deployment is rolled out or scaled: a policy, and controllers that go by it or do not know it. */
export interface PolicyCase {
  /** Ends a sentence. */
  readonly under: string;
  readonly policy: PodReplacementPolicy | undefined;
  readonly controllerGates: Gates;
  /** What the policy amounts to: with its gate off it is as good as unset. */
  readonly effective: PodReplacementPolicy | undefined;
}

const on = { controllerGates: {} };

export const withoutPolicy: PolicyCase = {
  under: "without a policy",
  policy: undefined,
  effective: undefined,
  ...on,
};
export const underStarted: PolicyCase = {
  under: "under TerminationStarted",
  policy: "TerminationStarted",
  effective: "TerminationStarted",
  ...on,
};
export const underComplete: PolicyCase = {
  under: "under TerminationComplete",
  policy: "TerminationComplete",
  effective: "TerminationComplete",
  ...on,
};
/** The policy that changes most, where the controllers' gate is off. */
export const gatedOff: PolicyCase = {
  under: "under TerminationComplete with the gate off",
  policy: "TerminationComplete",
  effective: undefined,
  controllerGates: { DeploymentPodReplacementPolicy: false },
};

/** Where terminating Pods are not even counted. */
export const uncounted: PolicyCase = {
  under: "where terminating Pods are not counted",
  policy: undefined,
  effective: undefined,
  controllerGates: { DeploymentPodReplacementPolicy: false, DeploymentReplicaSetTerminatingReplicas: false },
};

/** What every rollout and every scale is tried under. */
export const policyCases: readonly PolicyCase[] = [withoutPolicy, underStarted, underComplete, gatedOff];

/** A fixture whose controllers have the gates of a policyCase. */
export function startUnder(
  { controllerGates }: PolicyCase,
  options: DeploymentFixtureOptions = {},
): Promise<DeploymentFixture> {
  return startDeploymentFixture({ ...options, controllerGates });
}
