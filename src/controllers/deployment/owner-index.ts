import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { OwnerReference } from "../../api/generated/meta-v1.ts";
import { compileLabelSelector } from "../../api/labels/compile-label-selector.ts";
import { type LabelSelection, matchesLabels } from "../../api/labels/label-selector.ts";
import type { StoredObject } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import type { DeploymentDependencies } from "./dependencies.ts";

/** Who belongs to whom, as far as the informers know. */
export interface OwnerIndex {
  /** The Deployment that a ReplicaSet's controller reference means: by kind, name and UID. */
  deploymentOf(replicaSet: ReplicaSet): Deployment | undefined;
  /** Every Deployment that selects an orphan; nobody selects one without labels. */
  deploymentsSelecting(replicaSet: ReplicaSet): readonly Deployment[];
  replicaSetOf(pod: Pod): ReplicaSet | undefined;
  /** What a Deployment may lay claim to: the ReplicaSets it controls, and those of its namespace nobody does. */
  claimableBy(deployment: Deployment): readonly ReplicaSet[];
  podsOf(replicaSet: ReplicaSet): readonly Pod[];
}

const byNamespace = "namespace";
const byControllerUid = "controller-uid";
const byController = "controller-or-none";

/** Answers from three informers, to which it adds the indexes it needs. */
export function ownerIndexOf({
  deployments,
  replicaSets,
  pods,
}: Pick<DeploymentDependencies, "deployments" | "replicaSets" | "pods">): OwnerIndex {
  deployments.addIndex(byNamespace, ({ metadata }) => [metadata.namespace ?? ""]);
  replicaSets.addIndex(byController, (replicaSet) => [
    controllerOf(replicaSet)?.uid ?? orphansOf(replicaSet.metadata.namespace),
  ]);
  pods.addIndex(byControllerUid, (pod) => uidOf(controllerOf(pod)));
  return {
    deploymentOf: (replicaSet) => ownerOf(replicaSet, "Deployment", deployments),
    deploymentsSelecting({ metadata: { namespace = "", labels = {} } }) {
      if (Object.keys(labels).length === 0) return [];
      return deployments.byIndex(byNamespace, namespace).filter((deployment) => {
        const selection = selectionOf(deployment);
        return selection !== undefined && matchesLabels(selection, labels);
      });
    },
    replicaSetOf: (pod) => ownerOf(pod, "ReplicaSet", replicaSets),
    claimableBy: ({ metadata }) => [
      ...replicaSets.byIndex(byController, metadata.uid),
      ...replicaSets.byIndex(byController, orphansOf(metadata.namespace)),
    ],
    podsOf: ({ metadata }) => pods.byIndex(byControllerUid, metadata.uid),
  };
}

/** What a Deployment selects; `undefined` when its selector is empty or cannot be read: then it selects nothing. */
export function selectionOf({ spec: { selector } }: Deployment): LabelSelection | undefined {
  const isEmpty =
    Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0;
  if (isEmpty) return undefined;
  const compiled = compileLabelSelector(selector, "spec.selector");
  return compiled.ok ? compiled.selection : undefined;
}

/** Stands for a UID where there is none; no UID has a slash. */
function orphansOf(namespace = ""): string {
  return `${namespace}/`;
}

function uidOf(reference: OwnerReference | undefined): readonly string[] {
  return reference === undefined ? [] : [reference.uid];
}

function ownerOf<T extends StoredObject>(
  object: StoredObject,
  kind: string,
  owners: Informer<T>,
): T | undefined {
  const reference = controllerOf(object);
  if (reference?.kind !== kind) return undefined;
  const owner = owners.get(`${object.metadata.namespace ?? ""}/${reference.name}`);
  return owner?.metadata.uid === reference.uid ? owner : undefined;
}
