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
 * What looking the new ReplicaSet up brings with it: it takes over what its Deployment says, or, if it has already,
 * the Deployment takes over its revision. Done more than once in a pass, as upstream does.
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
  const isNoted = progressingOf(deployment.status) !== undefined;
  return noteRevision(
    revisions,
    revision,
    isNoted ? undefined : progressing("FoundNewReplicaSet", found, now),
  );
}

/** Creates the new ReplicaSet as large as it may be at once. */
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
    ...noteRevision(revisions, annotations?.[revisionAnnotation], created),
  ]);
}

/** Sizes the new ReplicaSet: as large as the budget lets it be, and never larger than all replicas. */
export function sizeNewReplicaSet(revisions: Revisions): StageResult {
  const { newReplicaSet } = revisions;
  if (newReplicaSet === undefined) return proceed();
  const grown = grownSize(newReplicaSet, revisions);
  return grown.kind === "unknown"
    ? wait(grown.limitedBy)
    : proceed(scaleTo(newReplicaSet, grown.pods, revisions), grown.limitedBy);
}

/** Writes the revision, and a condition where there is a deadline to measure it against, onto the Deployment. */
function noteRevision(
  { deployment }: Revisions,
  revision: string | undefined,
  news: DeploymentCondition | undefined,
): readonly RolloutAction[] {
  const present = conditionsOf(deployment.status);
  const isDue = news !== undefined && deadlineOf(deployment) !== undefined;
  const conditions = isDue ? setCondition(present, news) : present;
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
