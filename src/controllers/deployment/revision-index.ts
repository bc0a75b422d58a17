import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { type OwnerIndex, ownerIndexOf } from "../../machinery/ownership/owner-index.ts";
import { workloadSelection } from "../../api/labels/workload-selection.ts";
import type { DeploymentDependencies } from "./sync-context.ts";

/** Which ReplicaSets the Deployments own, and which Pods those own. */
export interface RevisionIndex {
  readonly replicaSets: OwnerIndex<Deployment, ReplicaSet>;
  readonly pods: OwnerIndex<ReplicaSet, Pod>;
}

/** Indexes the three informers of a Deployment controller. */
export function revisionIndexOf({
  deployments,
  replicaSets,
  pods,
}: Pick<DeploymentDependencies, "deployments" | "replicaSets" | "pods">): RevisionIndex {
  const selectionOf = workloadSelection;
  return {
    replicaSets: ownerIndexOf({ owners: deployments, dependents: replicaSets, selectionOf }),
    pods: ownerIndexOf({ owners: replicaSets, dependents: pods, selectionOf }),
  };
}
