import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import { revisionsWithNew } from "../../src/decisions/rollout/revisions.ts";
import { grownSize } from "../../src/decisions/rollout/grown-size.ts";
import { deployment } from "../../src/testing/deployment.ts";
import { replicaSet } from "../../src/testing/replica-set.ts";
import type { Check } from "./kinds.ts";
import { difference } from "./check-sizing.ts";

interface ReplacementNewSizeVector {
  readonly strategy: "RollingUpdate" | "Recreate";
  readonly replicas: number;
  readonly maxSurge: number;
  readonly replicaSets: readonly {
    readonly name: string;
    readonly replicas: number;
    readonly statusReplicas: number;
    readonly terminatingReplicas: number | null;
    readonly synced: boolean;
  }[];
  readonly want: number | null;
}

/** The size of the new ReplicaSet, the first one, under `TerminationComplete`. */
export const checkReplacementNewSize: Check = (vector) => {
  const { strategy, replicas, maxSurge, want, ...given } = vector as ReplacementNewSizeVector;
  const replicaSets = given.replicaSets.map(({ name, replicas: size, ...status }) =>
    replicaSet(name, {
      size,
      pods: status.statusReplicas,
      terminating: status.terminatingReplicas,
      observedGeneration: status.synced ? 1 : 0,
    }),
  );
  const owner = deployment("d", { strategy, replicas, maxSurge, policy: "TerminationComplete" });
  const state = { deployment: owner, replicaSets, gates: defaultFeatureGates, now: 0 };
  const growth = grownSize(replicaSets[0], revisionsWithNew(state, replicaSets[0]));
  return difference("size", growth.kind === "known" ? growth.pods : null, want);
};
