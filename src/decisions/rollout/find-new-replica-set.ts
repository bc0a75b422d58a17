import type { DeploymentCondition } from "../../api/generated/apps-v1.ts";
import type { RolloutAction } from "./action.ts";
import { annotationsOf, revisionAnnotation } from "./annotations.ts";
import { conditionsOf, deadlineOf, progressing, progressingOf, setCondition } from "./conditions.ts";
import type { Revisions } from "./revisions.ts";
import { grownSize } from "./grown-size.ts";
import { draftReplicaSet, refreshed } from "./new-replica-set.ts";
import { propagatePicker } from "./picker-propagation.ts";
import { scaleTo, scalingEvent } from "./scale-replica-set.ts";
import { proceed, type StageResult, wait } from "./pass.ts";

/**
 * Brings the new ReplicaSet up to date with its Deployment or, if it is already, the Deployment's revision up to date
 * with it. Done more than once in a pass (upstream: getAllReplicaSetsAndSyncRevision).
 */
export function syncNewReplicaSet(revisions: Revisions): readonly RolloutAction[] {
  return [...syncFound(revisions), ...propagatePicker(revisions)];
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
