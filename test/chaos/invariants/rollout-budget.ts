import type { ReplicaSet } from "../../../src/api/generated/apps-v1.ts";
import { keyOf } from "../../../src/api/object.ts";
import { isControlledBy } from "../../../src/api/owner-references.ts";
import { isActive, isReady } from "../../../src/api/pod-state.ts";
import type { Invariant } from "./invariant.ts";
import { checkRolloutSyncs } from "./rollout-sync.ts";
import { stored } from "./stored.ts";

/**
 * The available Pods are known from reports. Where these are delayed, a Pod that has just become available can still be
 * taken for one that is not: so this holds without faults, without latency and without `minReadySeconds`.
 */
export const rolloutBudgetInFact: Invariant = {
  name: "rollout-budget-in-fact",
  description: "no rolling pass takes more available Pods than there are to spare",
  begin: (context) => {
    const { store, conditions } = context;
    if (conditions.hasFaults || conditions.latencyMs > 0) return {};
    const readyPodsOf = ({ metadata }: ReplicaSet) => {
      const present = store();
      const pods = present === undefined ? [] : stored.pods(present);
      return pods.filter((pod) => isControlledBy(pod, metadata.uid) && isActive(pod) && isReady(pod)).length;
    };
    return checkRolloutSyncs(context, (sync) => {
      if ((sync.deployment.spec.minReadySeconds ?? 0) > 0) return undefined;
      const problem = sync.beyondAvailability(readyPodsOf);
      return problem && `Deployment ${keyOf(sync.deployment)}: ${problem}`;
    });
  },
};

/** However old its view: the Deployment controller stays within the budget by what it has read and seen. */
export const rolloutBudgetAsReported: Invariant = {
  name: "rollout-budget-as-reported",
  description:
    "no rollout exceeds its budget by the Pods that its ReplicaSets report or that it sees terminating",
  begin: (context) =>
    checkRolloutSyncs(context, (sync, seen) => {
      const problem =
        sync.beyondSurge(seen) ?? sync.beyondAvailability(({ status }) => status?.availableReplicas ?? 0);
      return problem && `Deployment ${keyOf(sync.deployment)}: ${problem}`;
    }),
};
