import { extended } from "../../api/extended.ts";
import { deepEqual } from "../../api/deep-equal.ts";
import type { Deployment, DeploymentCondition, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Draft } from "../../api/object.ts";
import { controllerReference } from "../../api/owner-references.ts";
import { deployments } from "../../api/resources.ts";
import { downscalePodPickerAnnotation } from "../../api/workload-settings.ts";
import type { RolloutAction } from "./action.ts";
import {
  type Annotations,
  annotationsOf,
  isOwnAnnotation,
  revisionAnnotation,
  selectAnnotations,
} from "./annotations.ts";
import { conditionsOf, deadlineOf, progressing, progressingOf, setCondition } from "./status/conditions.ts";
import { countOf } from "./counts.ts";
import { grownSize } from "./grown-size.ts";
import { proceed, type StageResult, wait } from "./pass.ts";
import { hashLabel, hashTemplate } from "./pod-template.ts";
import { withProtection } from "./protection.ts";
import { nextRevision, raiseRevision } from "./revision-history.ts";
import type { Revisions } from "./revisions.ts";
import { scaleTo, scalingEvent, sizeMarks } from "./scale-replica-set.ts";
import { propagateSettings, withSettings } from "./settings-propagation.ts";

const maxNameLength = 253;

/** The ReplicaSet to create for a Deployment's template, at a size. */
export function draftReplicaSet(revisions: Revisions, size: number): Draft<ReplicaSet> {
  const { metadata, spec, status } = revisions.deployment;
  const hash = hashTemplate(spec.template, status?.collisionCount);
  const labels: Record<string, string> = extended(spec.template.metadata?.labels, { [hashLabel]: hash });
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
      selector: { ...spec.selector, matchLabels: extended(spec.selector.matchLabels, { [hashLabel]: hash }) },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
  return withSettings(draft, revisions);
}

/** `<deployment>-<hash>`, with the former cut if the name would be too long. */
export function replicaSetName(deployment: string, hash: string): string {
  const space = maxNameLength - 1 - hash.length;
  return `${space > 0 ? deployment.slice(0, space) : deployment}-${hash}`;
}

/**
 * The new ReplicaSet with what it copies from its Deployment: annotations, revision, minReadySeconds, settings.
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
  return withProtection(withSettings(withMinReadySeconds(annotated, revisions.deployment), revisions));
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

/**
 * Brings the new ReplicaSet up to date with its Deployment or, if it is already, the Deployment's revision up to date
 * with it. Done more than once in a pass (upstream: getAllReplicaSetsAndSyncRevision).
 */
export function syncNewReplicaSet(revisions: Revisions): readonly RolloutAction[] {
  return [...syncFound(revisions), ...propagateSettings(revisions)];
}

function syncFound(revisions: Revisions): readonly RolloutAction[] {
  const { newReplicaSet, deployment, now } = revisions;
  if (newReplicaSet === undefined) return [];
  const replicaSet = refreshed(newReplicaSet, revisions);
  if (replicaSet !== newReplicaSet) return [{ kind: "update-replica-set", replicaSet }];
  const revision = annotationsOf(newReplicaSet)[revisionAnnotation];
  const found = `Found new replica set "${newReplicaSet.metadata.name}"`;
  const hasCondition = progressingOf(deployment.status) !== undefined;
  return recordRevision(
    revisions,
    revision,
    hasCondition ? undefined : progressing("FoundNewReplicaSet", found, now),
  );
}

/** Creates the new ReplicaSet with the size that the budget allows now. */
export function createNewReplicaSet(revisions: Revisions): StageResult {
  const grown = grownSize(undefined, revisions);
  if (grown.kind === "unknown") return wait(grown.limitedBy);
  const size = grown.pods;
  const replicaSet = draftReplicaSet(revisions, size);
  const { name = "", annotations } = replicaSet.metadata;
  const created = progressing("NewReplicaSetCreated", `Created new replica set "${name}"`, revisions.now);
  return proceed([
    { kind: "create-replica-set", replicaSet },
    ...(size > 0 ? [scalingEvent(name, 0, size)] : []),
    ...recordRevision(revisions, annotations?.[revisionAnnotation], created),
  ]);
}

/** Scales the new ReplicaSet to the size that the budget allows now, and never beyond all replicas. */
export function sizeNewReplicaSet(revisions: Revisions): StageResult {
  const { newReplicaSet } = revisions;
  if (newReplicaSet === undefined) return proceed();
  const grown = grownSize(newReplicaSet, revisions);
  return grown.kind === "unknown"
    ? wait(grown.limitedBy)
    : proceed(scaleTo(newReplicaSet, grown.pods, revisions), grown.limitedBy);
}

/** Writes the revision and, if there is a progress deadline, a condition to the Deployment. */
function recordRevision(
  { deployment }: Revisions,
  revision: string | undefined,
  condition: DeploymentCondition | undefined,
): readonly RolloutAction[] {
  const present = conditionsOf(deployment.status);
  const isDue = condition !== undefined && deadlineOf(deployment) !== undefined;
  const conditions = isDue ? setCondition(present, condition) : present;
  const annotations = annotationsOf(deployment);
  const isRevised = revision !== undefined && annotations[revisionAnnotation] !== revision;
  if (conditions === present && !isRevised) return [];
  const metadata = isRevised
    ? { ...deployment.metadata, annotations: { ...annotations, [revisionAnnotation]: revision } }
    : deployment.metadata;
  return [
    {
      kind: "update-status",
      deployment: { ...deployment, metadata, status: { ...deployment.status, conditions } },
    },
  ];
}
