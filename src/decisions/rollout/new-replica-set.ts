import { deepEqual } from "../../api/deep-equal.ts";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Draft } from "../../api/object.ts";
import { controllerReference } from "../../api/owner-references.ts";
import { deployments } from "../../api/resources.ts";
import { downscalePodPickerAnnotation } from "../../api/workload-settings.ts";
import {
  type Annotations,
  annotationsOf,
  isOwnAnnotation,
  revisionAnnotation,
  selectAnnotations,
} from "./annotations.ts";
import { countOf } from "./counts.ts";
import type { Revisions } from "./fleet.ts";
import { withPicker } from "./picker-propagation.ts";
import { nextRevision, raiseRevision } from "./revisions.ts";
import { sizeMarks } from "./scale-replica-set.ts";
import { hashLabel } from "./template-equality.ts";
import { hashTemplate } from "./template-hash.ts";

const maxNameLength = 253;

/** The ReplicaSet to create for a Deployment's template, at a size. */
export function draftReplicaSet(fleet: Revisions, size: number): Draft<ReplicaSet> {
  const { metadata, spec, status } = fleet.deployment;
  const hash = hashTemplate(spec.template, status?.collisionCount);
  const labels = { ...spec.template.metadata?.labels, [hashLabel]: hash };
  const minReadySeconds = countOf(spec.minReadySeconds);
  const draft: Draft<ReplicaSet> = {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: replicaSetName(metadata.name, hash),
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      labels,
      annotations: {
        ...travelling(fleet.deployment),
        [revisionAnnotation]: String(nextRevision(fleet.oldReplicaSets)),
        ...sizeMarks(fleet.budget),
      },
      ownerReferences: [controllerReference(deployments, fleet.deployment)],
    },
    spec: {
      replicas: size,
      ...(minReadySeconds === 0 ? {} : { minReadySeconds }),
      selector: { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, [hashLabel]: hash } },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
  return withPicker(draft, fleet);
}

/** `<deployment>-<hash>`, the former cut where both would be too long for a name. */
export function replicaSetName(deployment: string, hash: string): string {
  const space = maxNameLength - 1 - hash.length;
  return `${space > 0 ? deployment.slice(0, space) : deployment}-${hash}`;
}

/**
 * The new ReplicaSet with what it takes over from its Deployment: annotations, revision, minReadySeconds, picker.
 * The same object when nothing is out of date.
 */
export function refreshed(newReplicaSet: ReplicaSet, fleet: Revisions): ReplicaSet {
  const present = annotationsOf(newReplicaSet);
  const copied = { ...present, ...travelling(fleet.deployment) };
  // A revision that cannot be read is left alone, and all other annotations with it.
  const annotations = raiseRevision(copied, nextRevision(fleet.oldReplicaSets)) ?? present;
  const annotated = deepEqual(annotations, present)
    ? newReplicaSet
    : { ...newReplicaSet, metadata: { ...newReplicaSet.metadata, annotations } };
  return withPicker(withMinReadySeconds(annotated, fleet.deployment), fleet);
}

function withMinReadySeconds(replicaSet: ReplicaSet, { spec }: Deployment): ReplicaSet {
  const minReadySeconds = countOf(spec.minReadySeconds);
  if (countOf(replicaSet.spec.minReadySeconds) === minReadySeconds) return replicaSet;
  return { ...replicaSet, spec: { ...replicaSet.spec, minReadySeconds } };
}

/** What a Deployment hands down. The picker's annotation has rules of its own: it can also be taken away. */
function travelling(deployment: Deployment): Annotations {
  return selectAnnotations(
    annotationsOf(deployment),
    (name) => !isOwnAnnotation(name) && name !== downscalePodPickerAnnotation,
  );
}
