import { scaledValue } from "../../api/int-or-string.ts";
import { isBeingDeleted } from "../../api/object.ts";
import type { Batch, OrdinalActions, StatefulWait, UpdateNumbers } from "./action.ts";
import { revisionOfPod } from "./pod-health.ts";
import {
  isAvailableMember,
  type OrdinalPod,
  partitionOf,
  type StatefulView,
  unavailableCount,
} from "./view.ts";

/** Which Pods are taken for an update, each in a batch of its own, and what holds back the others. */
export interface UpdateStep {
  readonly batches: readonly Batch[];
  readonly waits: readonly StatefulWait[];
}

/** Takes the Pods that are not at the new revision, the highest ordinal first; they are made anew in a later pass. */
export function updateStep(view: StatefulView): UpdateStep {
  const { set, state } = view;
  const outdated = outdatedMembers(view);
  if (set.spec.updateStrategy?.type === "OnDelete") {
    return {
      batches: [],
      waits: outdated.length > 0 ? [{ kind: "on-delete", outdated: outdated.length }] : [],
    };
  }
  const partition = partitionOf(set);
  const reached = outdated.filter(({ ordinal }) => ordinal - view.range.start >= partition);
  const held = outdated.length - reached.length;
  const step = state.gates.MaxUnavailableStatefulSet ? byBudget(view, reached) : oneByOne(view, reached);
  const waits: readonly StatefulWait[] = held > 0 ? [{ kind: "partition", partition, outdated: held }] : [];
  return { batches: step.batches, waits: [...step.waits, ...waits] };
}

/** The Pods in range that are not at the new revision, the highest first. */
function outdatedMembers({ members, revisions }: StatefulView): readonly OrdinalPod[] {
  const found: OrdinalPod[] = [];
  for (const member of members.values()) {
    if (revisionOfPod(member.pod) !== revisions.update.name) found.push(member);
  }
  return found.sort((a, b) => b.ordinal - a.ordinal);
}

const nothing: UpdateStep = { batches: [], waits: [] };

/** The next Pod is replaced once all Pods above it are available; the health of those below does not matter. */
function oneByOne(view: StatefulView, reached: readonly OrdinalPod[]): UpdateStep {
  const [next] = reached;
  if (next === undefined) return nothing;
  const { start, replicas } = view.range;
  for (let index = replicas - 1; index > next.ordinal - start; index--) {
    const above = view.members.get(index);
    if (above === undefined || !isAvailableMember(above)) {
      return { batches: [], waits: [{ kind: "updating", ordinal: start + index }] };
    }
  }
  if (isGoing(next)) return { batches: [], waits: [{ kind: "updating", ordinal: next.ordinal }] };
  return { batches: [[replacement(view, next, numbersOf(view, 1))]], waits: [] };
}

/** A Pod that is being deleted, or will be in this pass because it has ended, is not taken a second time. */
function isGoing({ pod, health }: OrdinalPod): boolean {
  return health.kind === "ended" || isBeingDeleted(pod);
}

/** Takes as many Pods as may become unavailable besides those that already are; their own health does not matter. */
function byBudget(view: StatefulView, reached: readonly OrdinalPod[]): UpdateStep {
  const numbers = numbersOf(view, maxUnavailableOf(view));
  const budget = Math.max(0, numbers.maxUnavailable - numbers.unavailable);
  const candidates = reached.filter((member) => !isGoing(member));
  const taken = candidates.slice(0, budget);
  const waits: readonly StatefulWait[] =
    candidates.length > taken.length ? [{ kind: "budget", ...numbers }] : [];
  return { batches: taken.map((member) => [replacement(view, member, numbers)]), waits };
}

function numbersOf(view: StatefulView, maxUnavailable: number): UpdateNumbers {
  return { partition: partitionOf(view.set), unavailable: unavailableCount(view), maxUnavailable };
}

/** How many Pods may be unavailable during an update: a percentage is rounded down, and there is always one. */
export function maxUnavailableOf({ set, range }: Pick<StatefulView, "set" | "range">): number {
  const value = set.spec.updateStrategy?.rollingUpdate?.maxUnavailable;
  return Math.max(1, scaledValue(value, range.replicas, "down") ?? 1);
}

function replacement(
  view: StatefulView,
  { ordinal, pod }: OrdinalPod,
  numbers: UpdateNumbers,
): OrdinalActions {
  const reason = {
    kind: "outdated",
    revision: revisionOfPod(pod),
    update: view.revisions.update.name,
    index: ordinal - view.range.start,
    ...numbers,
  } as const;
  return { ordinal, actions: [{ kind: "delete-pod", pod, reason }] };
}
