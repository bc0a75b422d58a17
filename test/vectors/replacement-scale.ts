import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import { formatTime } from "../../src/api/time.ts";
import type { PodReplacementPolicy } from "../../src/api/workload-settings.ts";
import { applyToState } from "../../src/decisions/rollout/action.ts";
import { revisionsWithNew } from "../../src/decisions/rollout/revisions.ts";
import { scaleReplicaSets } from "../../src/decisions/rollout/scale.ts";
import { deployment } from "../../src/testing/deployment.ts";
import { replicaSet } from "../../src/testing/replica-set.ts";
import type { Check } from "./kinds.ts";
import { describe, difference, type Want } from "./check-sizing.ts";

interface Step {
  readonly replicas: number;
  readonly terminating?: Readonly<Record<string, number>>;
  readonly statusReplicas?: Readonly<Record<string, number>>;
  readonly want: Want;
}

interface ReplacementScaleVector {
  readonly podReplacementPolicy: PodReplacementPolicy | null;
  readonly maxSurge: number;
  readonly newReplicaSet: string;
  readonly replicaSets: readonly {
    readonly name: string;
    readonly createdOrder: number;
    readonly replicas: number;
    readonly annotations: Readonly<Record<string, string>>;
  }[];
  readonly steps: readonly Step[];
}

/** Consecutive passes of the proportional scale, each on what the one before left. */
export const checkReplacementScale: Check = (vector) => {
  const given = vector as ReplacementScaleVector;
  let replicaSets: readonly ReplicaSet[] = given.replicaSets.map(
    ({ name, createdOrder, replicas, annotations }) =>
      replicaSet(name, { size: replicas, createdAt: formatTime(createdOrder * 1000), annotations }),
  );
  for (const [index, step] of given.steps.entries()) {
    replicaSets = scaleOnce(given, replicaSets, step);
    const differs = difference(`step ${index + 1}`, describe(replicaSets), step.want);
    if (differs !== undefined) return differs;
  }
  return undefined;
};

function scaleOnce(
  { podReplacementPolicy, maxSurge, newReplicaSet }: ReplacementScaleVector,
  before: readonly ReplicaSet[],
  { replicas, terminating = {}, statusReplicas = {} }: Step,
): readonly ReplicaSet[] {
  const replicaSets = before.map((each) => ({
    ...each,
    status: {
      replicas: statusReplicas[each.metadata.name] ?? each.spec.replicas ?? 0,
      terminatingReplicas: terminating[each.metadata.name] ?? 0,
      observedGeneration: each.metadata.generation ?? 0,
    },
  }));
  const owner = deployment("d", { replicas, maxSurge, policy: podReplacementPolicy });
  const state = { deployment: owner, replicaSets, gates: defaultFeatureGates, now: 0 };
  const newest = replicaSets.find(({ metadata }) => metadata.name === newReplicaSet);
  const scaled = scaleReplicaSets(revisionsWithNew(state, newest));
  return scaled.kind === "proceed" ? scaled.actions.reduce(applyToState, state).replicaSets : [];
}
