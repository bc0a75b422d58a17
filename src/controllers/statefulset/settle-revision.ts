import { takenName } from "../../decisions/revisions/draft-revision.ts";
import { planRevision, type RevisionAction } from "../../decisions/stateful/plan-revision.ts";
import type { StatefulState } from "../../decisions/stateful/state.ts";
import type { ControllerRevision } from "../../api/generated/apps-v1.ts";
import { controllerRevisions, statefulSets } from "../../api/resources.ts";
import { createRevision, renumberRevision } from "../revisions/write-revision.ts";
import type { StatefulSync } from "./sync-context.ts";

/** This many names in a row are taken only if another client takes them on purpose. */
const mostAttempts = 10;

/** Makes the revision of a set's template exist and be the newest; returns the state with it. */
export async function settleRevision(state: StatefulState, context: StatefulSync): Promise<StatefulState> {
  let settled = state;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const { action } = planRevision(settled);
    if (action === undefined) return settled;
    settled = await applyRevision(action, settled, context);
  }
  throw new Error(`no name was found for the new revision of ${state.set.metadata.name}`);
}

async function applyRevision(
  action: RevisionAction,
  state: StatefulState,
  context: StatefulSync,
): Promise<StatefulState> {
  if (action.kind === "renumber-revision") {
    const renumbered = await renumberRevision(action.revision, action.to, context);
    context.wrote(controllerRevisions, renumbered);
    return withRevision(state, renumbered);
  }
  const owned = { owner: context.set, ownerResource: statefulSets };
  const { kind, revision } = await createRevision(action.revision, owned, context);
  if (kind === "created") {
    context.wrote(controllerRevisions, revision);
    return withRevision(state, revision);
  }
  const taken = takenName(action.revision, revision, action.collisionCount);
  return taken.kind === "same"
    ? withRevision(state, taken.revision)
    : { ...state, collisionCount: taken.collisionCount };
}

function withRevision(state: StatefulState, revision: ControllerRevision): StatefulState {
  const others = state.revisions.filter(({ metadata }) => metadata.name !== revision.metadata.name);
  return { ...state, revisions: [...others, revision] };
}
