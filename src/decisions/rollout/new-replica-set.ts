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
import type { Revisions } from "./revisions.ts";
import { withPicker } from "./picker-propagation.ts";
import { nextRevision, raiseRevision } from "./revision-history.ts";
import { sizeMarks } from "./scale-replica-set.ts";
import { hashLabel, hashTemplate } from "./pod-template.ts";

const maxNameLength = 253;

/** The ReplicaSet to create for a Deployment's template, at a size. */
export function draftReplicaSet(revisions: Revisions, size: number): Draft<ReplicaSet> {
  const { metadata, spec, status } = revisions.deployment;
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
        ...copiedAnnotations(revisions.deployment),
        [revisionAnnotation]: String(nextRevision(revisions.oldReplicaSets)),
        ...sizeMarks(revisions.budget),
      },
      ownerReferences: [controllerReference(deployments, revisions.deployment)],
    },
    spec: {
      replicas: size,
      ...(minReadySeconds === 0 ? {} : { minReadySeconds }),
      selector: { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, [hashLabel]: hash } },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
  return withPicker(draft, revisions);
}

/** `<deployment>-<hash>`, with the former cut if the name would be too long. */
export function replicaSetName(deployment: string, hash: string): string {
  const space = maxNameLength - 1 - hash.length;
  return `${space > 0 ? deployment.slice(0, space) : deployment}-${hash}`;
}

/**
 * The new ReplicaSet with what it copies from its Deployment: annotations, revision, minReadySeconds, picker.
 * The same object when nothing is out of date.
 */
export function refreshed(newReplicaSet: ReplicaSet, revisions: Revisions): ReplicaSet {
  const present = annotationsOf(newReplicaSet);
  const copied = { ...present, ...copiedAnnotations(revisions.deployment) };
  // A revision that cannot be read is left alone, and all other annotations with it.
  const annotations = raiseRevision(copied, nextRevision(revisions.oldReplicaSets)) ?? present;
  const annotated = deepEqual(annotations, present)
    ? newReplicaSet
    : { ...newReplicaSet, metadata: { ...newReplicaSet.metadata, annotations } };
  return withPicker(withMinReadySeconds(annotated, revisions.deployment), revisions);
}

function withMinReadySeconds(replicaSet: ReplicaSet, { spec }: Deployment): ReplicaSet {
  const minReadySeconds = countOf(spec.minReadySeconds);
  if (countOf(replicaSet.spec.minReadySeconds) === minReadySeconds) return replicaSet;
  return { ...replicaSet, spec: { ...replicaSet.spec, minReadySeconds } };
}

/** The annotations a ReplicaSet copies. The picker's is handled apart, since its removal is copied, too. */
function copiedAnnotations(deployment: Deployment): Annotations {
  return selectAnnotations(
    annotationsOf(deployment),
    (name) => !isOwnAnnotation(name) && name !== downscalePodPickerAnnotation,
  );
}
