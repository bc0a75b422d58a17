import { keyOf } from "../../../src/api/object.ts";
import type { Invariant } from "./invariant.ts";
import { checkRolloutSyncs } from "./rollout-sync.ts";

/** However old its view: the Deployment controller stays within the budget by what it has read. */
export const rolloutBudgetAsReported: Invariant = {
  name: "rollout-budget-as-reported",
  description: "no rollout exceeds its budget by the Pods that its ReplicaSets report",
  begin: (context) =>
    checkRolloutSyncs(context, (sync) => {
      const problem =
        sync.beyondSurge() ?? sync.beyondAvailability(({ status }) => status?.availableReplicas ?? 0);
      return problem && `Deployment ${keyOf(sync.deployment)}: ${problem}`;
    }),
};
