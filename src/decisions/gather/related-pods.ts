import type { Pod } from "../../api/generated/core-v1.ts";
import { matchesLabels } from "../../api/labels/label-selector.ts";
import type { ReplicaOwner } from "../replicas/replica-owner.ts";
import { ownerSelection } from "./owned-objects.ts";
import type { WorkloadReader } from "./workload-reader.ts";

/**
 * The Pods that count for co-location: those that any owner with the same controller selects, or the owner itself when it
 * has no controller. Each of them once, and looked up anew whenever they are iterated: most syncs never do.
 */
export function relatedPods<T extends ReplicaOwner>(
  owner: T,
  reader: Pick<WorkloadReader<T>, "siblings" | "podsIn">,
): Iterable<Pod> {
  return {
    *[Symbol.iterator]() {
      const selections = reader.siblings(owner).flatMap((sibling) => ownerSelection(sibling) ?? []);
      for (const pod of reader.podsIn(owner.metadata.namespace)) {
        if (selections.some((selection) => matchesLabels(selection, pod.metadata.labels))) yield pod;
      }
    },
  };
}
