import type { Pod } from "../../api/generated/core-v1.ts";
import type { OwnerReference } from "../../api/generated/meta-v1.ts";
import { matchesLabels } from "../../api/labels/label-selector.ts";
import { keyOf } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import type { ReplicaKind } from "./kind.ts";

/** Who belongs to whom, as far as the informers know. */
export interface OwnerIndex<T extends ReplicaOwner> {
  /** The owner that a Pod's controller reference means: by kind, name and UID. */
  ownerOf(pod: Pod): T | undefined;
  /** Every owner that selects an orphan. */
  ownersSelecting(pod: Pod): readonly T[];
  /** The Pods an owner controls, and the orphans of its namespace. */
  podsWithin(owner: T): readonly Pod[];
  /** The Pods that any owner with the same controller selects; those of the owner itself when it has none. */
  podsRelatedTo(owner: T): readonly Pod[];
}

// Shared by every controller that watches the same collection, so the names say what they are about.
const byController = "controller-or-orphaned-in-namespace";
const byNamespace = "namespace";
const byControllerUid = "controller-uid";

/** Answers from two informers, to which it adds the indexes it needs. */
export function ownerIndexOf<T extends ReplicaOwner>(
  kind: ReplicaKind<T>,
  owners: Informer<T>,
  pods: Informer<Pod>,
): OwnerIndex<T> {
  owners.addIndex(byNamespace, (owner) => [owner.metadata.namespace ?? ""]);
  owners.addIndex(byControllerUid, (owner) => uidsOf(controllerOf(owner)));
  pods.addIndex(byNamespace, (pod) => [pod.metadata.namespace ?? ""]);
  pods.addIndex(byController, (pod) => [controllerValue(pod)]);

  return {
    ownerOf(pod) {
      const reference = controllerOf(pod);
      if (reference?.kind !== kind.resource.kind) return undefined;
      const { name, uid } = reference;
      const owner = owners.get(keyOf({ metadata: { ...pod.metadata, name } }));
      return owner?.metadata.uid === uid ? owner : undefined;
    },

    ownersSelecting({ metadata: { namespace = "", labels = {} } }) {
      if (Object.keys(labels).length === 0) return [];
      return owners.byIndex(byNamespace, namespace).filter((owner) => {
        const selection = kind.selectionOf(owner);
        return selection !== undefined && matchesLabels(selection, labels);
      });
    },

    podsWithin({ metadata: { namespace = "", name, uid } }) {
      const { kind: ownKind } = kind.resource;
      const own = pods.byIndex(byController, ownedValue(namespace, { kind: ownKind, name, uid }));
      return [...own, ...pods.byIndex(byController, namespace)];
    },

    podsRelatedTo(owner) {
      const controller = controllerOf(owner);
      const siblings = controller === undefined ? [owner] : owners.byIndex(byControllerUid, controller.uid);
      const selections = siblings.flatMap((sibling) => kind.selectionOf(sibling) ?? []);
      return pods
        .byIndex(byNamespace, owner.metadata.namespace ?? "")
        .filter(({ metadata }) => selections.some((selection) => matchesLabels(selection, metadata.labels)));
    },
  };
}

function uidsOf(reference: OwnerReference | undefined): readonly string[] {
  return reference === undefined ? [] : [reference.uid];
}

function controllerValue(pod: Pod): string {
  const { namespace = "" } = pod.metadata;
  const controller = controllerOf(pod);
  return controller === undefined ? namespace : ownedValue(namespace, controller);
}

function ownedValue(namespace: string, { kind, name, uid }: Pick<OwnerReference, "kind" | "name" | "uid">) {
  return `${namespace}/${kind}/${name}/${uid}`;
}
