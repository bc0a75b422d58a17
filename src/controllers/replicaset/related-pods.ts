import type { Pod } from "../../api/generated/core-v1.ts";
import { matchesLabels } from "../../api/labels/label-selector.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import {
  indexByController,
  indexByNamespace,
  inNamespace,
  withSameController,
} from "../../machinery/ownership/owner-index.ts";
import type { ReplicaKind } from "./kind.ts";

/**
 * Finds the Pods that count for co-location, one after the other: those that any owner with the same controller selects, or the owner itself
 * when it has no controller.
 */
export function relatedPods<T extends ReplicaOwner>(
  { selectionOf }: ReplicaKind<T>,
  owners: Informer<T>,
  pods: Informer<Pod>,
): (owner: T) => Iterable<Pod> {
  indexByController(owners);
  indexByNamespace(pods);
  return function* (owner) {
    const selections = withSameController(owners, owner).flatMap((sibling) => selectionOf(sibling) ?? []);
    for (const pod of inNamespace(pods, owner.metadata.namespace)) {
      if (selections.some((selection) => matchesLabels(selection, pod.metadata.labels))) yield pod;
    }
  };
}
