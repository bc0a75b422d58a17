import type { StatefulSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isInRange, type OrdinalRange, ordinalOf, rangeOf } from "./ordinal.ts";
import { type PodRevision, planRevision, type RevisionPlan } from "./plan-revision.ts";
import { type Availability, podHealthOf, type PodHealth } from "./pod-health.ts";
import type { StatefulState } from "./state.ts";
import type { ChosenBy } from "./action.ts";

/** A Pod of the set and its place. */
export interface OrdinalPod {
  readonly ordinal: number;
  readonly pod: Pod;
  readonly health: PodHealth;
}

/** A state as the steps of a plan read it: Pods by their place in the range, and those outside of it. */
export interface StatefulView {
  readonly state: StatefulState;
  readonly set: StatefulSet;
  readonly range: OrdinalRange;
  /** Whether each Pod waits for the one before it. */
  readonly isOrdered: boolean;
  readonly availability: Availability;
  readonly revisions: RevisionPlan;
  /** By index, which is the ordinal without the start. There may be many more indexes than Pods. */
  readonly members: ReadonlyMap<number, OrdinalPod>;
  /** The highest ordinal first. */
  readonly condemned: readonly OrdinalPod[];
}

export function statefulViewOf(state: StatefulState): StatefulView {
  const { set, now } = state;
  const range = rangeOf(set);
  const seconds: unknown = set.spec.minReadySeconds;
  const minReadySeconds = typeof seconds === "number" && seconds > 0 ? seconds : 0;
  const availability = { minReadySeconds, now };
  const members = new Map<number, OrdinalPod>();
  const condemned: OrdinalPod[] = [];
  for (const pod of state.pods) {
    const ordinal = ordinalOf(set, pod);
    if (ordinal === undefined) continue;
    const member = { ordinal, pod, health: podHealthOf(pod, availability) };
    if (isInRange(range, ordinal)) members.set(ordinal - range.start, member);
    else condemned.push(member);
  }
  condemned.sort((a, b) => b.ordinal - a.ordinal);
  const isOrdered = set.spec.podManagementPolicy !== "Parallel";
  const revisions = planRevision(state);
  return { state, set, range, isOrdered, availability, revisions, members, condemned };
}

/** The Pods in range and out of it. */
export function* allMembers({ members, condemned }: StatefulView): Iterable<OrdinalPod> {
  yield* members.values();
  yield* condemned;
}

export function isAvailableMember({ health }: OrdinalPod): boolean {
  return health.kind === "available";
}

/** The lowest ordinal that is missing or not available; if there is none in range, the lowest such one outside. */
export function firstUnavailable({ range, members, condemned }: StatefulView): number | undefined {
  // A missing Pod ends the loop, so it takes no more rounds than there are Pods.
  for (let index = 0; index < range.replicas; index++) {
    const member = members.get(index);
    if (member === undefined || !isAvailableMember(member)) return range.start + index;
  }
  return condemned.findLast((member) => !isAvailableMember(member))?.ordinal;
}

/** How many of all ordinals in range have no available Pod. */
export function unavailableCount({ range, members }: StatefulView): number {
  let available = 0;
  for (const member of members.values()) if (isAvailableMember(member)) available++;
  return range.replicas - available;
}

/** The revision for the Pod at an index, and what decides that. */
export interface RevisionChoice {
  readonly revision: PodRevision;
  readonly chosenBy: ChosenBy;
}

/** The revision that a missing Pod is made from: the one before an update as long as the update does not reach it. */
export function revisionFor({ set, revisions }: StatefulView, index: number): RevisionChoice {
  const { current, update } = revisions;
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  const byUpdate: RevisionChoice = { revision: update, chosenBy: "update" };
  if (type === "OnDelete") return byUpdate;
  if (rollingUpdate === undefined || rollingUpdate === null) {
    const isCurrent = index < (set.status?.currentReplicas ?? 0);
    return isCurrent ? { revision: current, chosenBy: "current-replicas" } : byUpdate;
  }
  return index < partitionOf(set) ? { revision: current, chosenBy: "partition" } : byUpdate;
}

/** The lowest index that an update replaces. */
export function partitionOf({ spec }: StatefulSet): number {
  const partition: unknown = spec.updateStrategy?.rollingUpdate?.partition;
  return typeof partition === "number" && partition > 0 ? partition : 0;
}
