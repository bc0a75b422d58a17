import { beyondCap, describeMutants, overlooking } from "./mutants.contract.ts";

// It takes two changes of one ReplicaSet before its next report, so it is rare; src/decisions/rollout/plan-rollout.guards.test.ts
// finds it sooner.
describeMutants(500, [
  {
    name: "reports older than a size are taken for current",
    mutation: overlooking((status, { metadata }) => ({
      ...status,
      observedGeneration: metadata.generation ?? 0,
    })),
    promise: "keepsCap",
    says: beyondCap,
  },
]);
