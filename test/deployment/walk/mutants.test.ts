import { beyondCap, describeMutants, overlooking, takenInFact } from "./mutants.contract.ts";

describeMutants(50, [
  {
    name: "terminating Pods are overlooked",
    mutation: overlooking((status) => ({ ...status, terminatingReplicas: 0 })),
    promise: "keepsCap",
    says: beyondCap,
  },
  {
    name: "Pods that are yet to be deleted are overlooked",
    mutation: overlooking((status, { spec }) => ({
      ...status,
      replicas: Math.min(status.replicas, spec.replicas ?? 1),
    })),
    promise: "keepsCap",
    says: beyondCap,
  },
  {
    name: "Pods are taken for available as soon as they are there",
    mutation: overlooking((status) => ({ ...status, availableReplicas: status.replicas })),
    promise: "sparesAvailable",
    says: takenInFact,
  },
]);
