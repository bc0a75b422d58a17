import type { ControllerRevision, StatefulSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { LabelSelection } from "../../api/labels/label-selector.ts";
import { keyOf } from "../../api/object.ts";
import { isControlledBy } from "../../api/owner-references.ts";
import { pods as podResource, statefulSets } from "../../api/resources.ts";
import { ordinalOf } from "../../decisions/stateful/ordinal.ts";
import type { StatefulState } from "../../decisions/stateful/state.ts";
import { claimObjects } from "../../machinery/ownership/claim-objects.ts";
import type { OwnerIndex } from "../../machinery/ownership/owner-index.ts";
import { adoptRevisions } from "../revisions/claim-revisions.ts";
import type { StatefulDependencies, StatefulSync } from "./sync-context.ts";

/** Where the state of a set is gathered from. */
export interface StatefulSources extends Pick<StatefulDependencies, "clock" | "gates" | "claims"> {
  readonly pods: OwnerIndex<StatefulSet, Pod>;
  readonly revisions: OwnerIndex<StatefulSet, ControllerRevision>;
}

/** Claims a set's revisions and Pods and gathers all that a plan for it depends on. */
export async function gatherStatefulState(
  { clock, gates, claims, ...sources }: StatefulSources,
  context: StatefulSync,
): Promise<StatefulState> {
  const { set } = context;
  const claim = { ...context, owner: set, ownerResource: statefulSets };
  const revisions = await adoptRevisions(sources.revisions.claimableBy(set), claim);
  const pods = await claimPods(sources.pods.claimableBy(set), context);
  const { namespace } = set.metadata;
  const claimNamed = (name: string) =>
    claims.get(keyOf({ metadata: { name, ...(namespace !== undefined && { namespace }) } }));
  return { set, pods, revisions, claims: { get: claimNamed }, gates: gates(), now: clock.now() };
}

const selectsNothing: LabelSelection = { selects: "nothing" };

/** Adopts and releases Pods. A Pod with another name is none of the set's, whatever its labels. */
async function claimPods(candidates: readonly Pod[], context: StatefulSync): Promise<readonly Pod[]> {
  const { set } = context;
  const claim = { ...context, owner: set, ownerResource: statefulSets, resource: podResource };
  const members: Pod[] = [];
  const strangers: Pod[] = [];
  for (const pod of candidates) {
    if (ordinalOf(set, pod) !== undefined) members.push(pod);
    else if (isControlledBy(pod, set.metadata.uid)) strangers.push(pod);
  }
  if (strangers.length > 0) await claimObjects(strangers, { ...claim, selection: selectsNothing });
  return claimObjects(members, claim);
}
