import type { DeploymentCondition } from "../../api/generated/apps-v1.ts";
import type { RolloutAction } from "./action.ts";
import { annotationsOf, revisionAnnotation } from "./annotations.ts";
import { conditionsOf, deadlineOf, progressing, progressingOf, setCondition } from "./conditions.ts";
import type { Revisions } from "./fleet.ts";
import { grownSize } from "./grown-size.ts";
import { draftReplicaSet, refreshed } from "./new-replica-set.ts";
import { propagatePicker } from "./picker-propagation.ts";
import { scaleTo, scalingEvent } from "./scale-replica-set.ts";
import { proceed, type StageResult, wait } from "./pass.ts";

/**
 * What looking the new ReplicaSet up brings with it: it takes over what its Deployment says, or, if it has already,
 * the Deployment takes over its revision. Done more than once in a pass, as upstream does.
 */
export function syncNewReplicaSet(fleet: Revisions): readonly RolloutAction[] {
  return [...syncFound(fleet), ...propagatePicker(fleet)];
}

function syncFound(fleet: Revisions): readonly RolloutAction[] {
  const { newReplicaSet, deployment, now } = fleet;
  if (newReplicaSet === undefined) return [];
  const replicaSet = refreshed(newReplicaSet, fleet);
  if (replicaSet !== newReplicaSet) return [{ kind: "update-replica-set", replicaSet }];
  const revision = annotationsOf(newReplicaSet)[revisionAnnotation];
  const found = `Found new replica set "${newReplicaSet.metadata.name}"`;
  const isNoted = progressingOf(deployment.status) !== undefined;
  return noteRevision(fleet, revision, isNoted ? undefined : progressing("FoundNewReplicaSet", found, now));
}

/** Creates the new ReplicaSet as large as it may be at once. */
export function createNewReplicaSet(fleet: Revisions): StageResult {
  const grown = grownSize(undefined, fleet);
  if (grown.kind === "unknown") return wait(grown.limitedBy);
  const size = grown.pods;
  const replicaSet = draftReplicaSet(fleet, size);
  const { name = "", annotations } = replicaSet.metadata;
  const created = progressing("NewReplicaSetCreated", `Created new replica set "${name}"`, fleet.now);
  return proceed([
    { kind: "create-replica-set", replicaSet },
    ...(size > 0 ? [scalingEvent(name, 0, size)] : []),
    ...noteRevision(fleet, annotations?.[revisionAnnotation], created),
  ]);
}

/** Sizes the new ReplicaSet: as large as the budget lets it be, and never larger than all replicas. */
export function sizeNewReplicaSet(fleet: Revisions): StageResult {
  const { newReplicaSet } = fleet;
  if (newReplicaSet === undefined) return proceed();
  const grown = grownSize(newReplicaSet, fleet);
  return grown.kind === "unknown"
    ? wait(grown.limitedBy)
    : proceed(scaleTo(newReplicaSet, grown.pods, fleet), grown.limitedBy);
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
