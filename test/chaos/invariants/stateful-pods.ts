import type { StatefulSet } from "../../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../../src/api/generated/core-v1.ts";
import { isBeingDeleted, keyOf } from "../../../src/api/object.ts";
import { controllerOf, isControlledBy } from "../../../src/api/owner-references.ts";
import { deletionBeganAt, isAvailable } from "../../../src/api/pod-state.ts";
import { pods, statefulSets } from "../../../src/api/resources.ts";
import type { Instant } from "../../../src/api/time.ts";
import { isInRange, ordinalOf, rangeOf } from "../../../src/decisions/stateful/ordinal.ts";
import { revisionOfPod } from "../../../src/decisions/stateful/pod-health.ts";
import { partitionOf } from "../../../src/decisions/stateful/view.ts";
import type { Store } from "../../../src/cluster/store/store.ts";
import type { ObservedCommit } from "../../../src/simulation/observation.ts";
import type { Invariant } from "./invariant.ts";
import { podChangeIn, stored } from "./stored.ts";

/** Who may remove a Pod whose containers nobody has seen end: its node is gone. */
const removers: ReadonlySet<string> = new Set(["node-lifecycle"]);

/** A name may be used again only when the containers of the Pod that had it are known to have ended. */
export const ordinalRunsOnce: Invariant = {
  name: "ordinal-runs-once",
  description: "the Pod of an ordinal is gone only when its containers have ended, or its node is gone",
  begin: () => ({
    commit({ collection, event, by }) {
      if (collection !== pods.plural || event.type !== "DELETED") return undefined;
      const { pod, was } = podChangeIn(event);
      const last = was ?? pod;
      if (controllerOf(last)?.kind !== statefulSets.kind || last.status?.phase !== "Running")
        return undefined;
      // A user may remove it by force.
      if (by === undefined || removers.has(by.component)) return undefined;
      return `Pod ${keyOf(last)} was removed by ${by.component} while it was running`;
    },
  }),
};

/** At rest every ordinal has its Pod, at the revision that the partition leaves it. */
export const ordinalsFilled: Invariant = {
  name: "ordinals-filled",
  description:
    "when stable, every ordinal of a StatefulSet has one current Pod, no other has one, and the status says so",
  begin: ({ clock, store }) => ({
    stable() {
      const present = store();
      if (present === undefined) return undefined;
      for (const set of stored.statefulSets(present)) {
        const problem = checkAtRest(set, podsOf(set, present), clock.now());
        if (problem !== undefined) return `StatefulSet ${keyOf(set)}: ${problem}`;
      }
      return undefined;
    },
  }),
};

/** A controller with an outdated view may do a second thing before the first shows: so this holds without latency. */
export const ordinalOrder: Invariant = {
  name: "ordinal-order-in-fact",
  description:
    "an ordered StatefulSet starts no Pod before the lower ones are available, and updates one at a time from above",
  begin: ({ clock, conditions, store }) => {
    if (conditions.hasFaults || conditions.latencyMs > 0) return {};
    // A user may change the set while a sync goes on.
    const synced = new Map<string, StatefulSet>();
    return {
      "sync-began"({ by, key }) {
        if (by.component !== "statefulset") return undefined;
        const read = by.informers?.of(statefulSets).get(key);
        if (read !== undefined) synced.set(read.metadata.uid, read);
        return undefined;
      },
      commit(commit) {
        const present = store();
        if (present === undefined || commit.collection !== pods.plural) return undefined;
        const set = synced.get(controllerOf(podChangeIn(commit.event).pod)?.uid ?? "");
        if (commit.by?.component !== "statefulset" || set === undefined) return undefined;
        const problem = checkCommit(commit, set, { present, now: clock.now() });
        return problem && `StatefulSet ${keyOf(set)}: ${problem}`;
      },
    };
  },
};

function podsOf({ metadata }: StatefulSet, store: Store): readonly Pod[] {
  return stored.pods(store).filter((pod) => isControlledBy(pod, metadata.uid));
}

function checkAtRest(set: StatefulSet, own: readonly Pod[], now: Instant): string | undefined {
  const range = rangeOf(set);
  const ordinals = own.map((pod) => ordinalOf(set, pod) ?? -1).toSorted((a, b) => a - b);
  const wanted = Array.from({ length: range.replicas }, (_, index) => range.start + index);
  if (ordinals.join() !== wanted.join()) return `its ordinals are ${ordinals.join()}, not ${wanted.join()}`;
  const outdated = own.find((pod) => isOutdated(set, pod));
  if (outdated !== undefined) return `Pod ${keyOf(outdated)} is at ${revisionOfPod(outdated)}`;
  return wrongFigure(set, own, now);
}

function isOutdated(set: StatefulSet, pod: Pod): boolean {
  const index = (ordinalOf(set, pod) ?? 0) - rangeOf(set).start;
  const isReached = set.spec.updateStrategy?.type === "RollingUpdate" && index >= partitionOf(set);
  return isReached && revisionOfPod(pod) !== set.status?.updateRevision;
}

function wrongFigure(set: StatefulSet, own: readonly Pod[], now: Instant): string | undefined {
  const { status, spec, metadata } = set;
  const available = own.filter((pod) => isAvailable(pod, spec.minReadySeconds ?? 0, now)).length;
  const figures = [
    ["replicas", status?.replicas, rangeOf(set).replicas],
    ["availableReplicas", status?.availableReplicas ?? 0, available],
    ["the available ones", available, rangeOf(set).replicas],
    ["observedGeneration", status?.observedGeneration, metadata.generation],
  ] as const;
  const wrong = figures.find(([, is, should]) => is !== should);
  return wrong && `${wrong[0]} is ${wrong[1]}, not ${wrong[2]}`;
}

interface Moment {
  readonly present: Store;
  readonly now: Instant;
}

function checkCommit({ event }: ObservedCommit, set: StatefulSet, moment: Moment): string | undefined {
  const { pod, was } = podChangeIn(event);
  const ordinal = ordinalOf(set, pod) ?? -1;
  if (!isInRange(rangeOf(set), ordinal)) return undefined;
  const isOrdered = set.spec.podManagementPolicy !== "Parallel";
  const sick = unavailableOrdinals(set, moment).filter((other) => other !== ordinal);
  if (was === undefined) {
    const before = sick.filter((other) => isOrdered && other < ordinal);
    return before.length > 0 ? `${pod.metadata.name} was created before ${before.join()}` : undefined;
  }
  // What has ended goes at once, whatever the others do.
  const isReplaced = was.status?.phase === "Running" && !isBeingDeleted(was) && isBeingDeleted(pod);
  const after = sick.filter((other) => isReplaced && (isOrdered || other > ordinal));
  return after.length > sparedBy(set)
    ? `${pod.metadata.name} was replaced while ${after.join()} were not available`
    : undefined;
}

/** How many other Pods may be unavailable when one is replaced. A set has the field only while its gate is on. */
function sparedBy({ spec }: StatefulSet): number {
  const { maxUnavailable } = spec.updateStrategy?.rollingUpdate ?? {};
  return typeof maxUnavailable === "number" ? maxUnavailable - 1 : 0;
}

function unavailableOrdinals(set: StatefulSet, { present, now }: Moment): readonly number[] {
  const available = podsOf(set, present).filter(
    (pod) => !hasBeenGoing(pod, now) && isAvailable(pod, set.spec.minReadySeconds ?? 0, now),
  );
  const served = new Set(available.map((pod) => ordinalOf(set, pod)));
  const { start, replicas } = rangeOf(set);
  const ordinals = Array.from({ length: replicas }, (_, index) => start + index);
  return ordinals.filter((ordinal) => !served.has(ordinal));
}

/** A user may delete a Pod while a sync goes on, which takes no time: that is not known to it. */
function hasBeenGoing(pod: Pod, now: Instant): boolean {
  const began = deletionBeganAt(pod);
  return began !== undefined && began < now - 1000;
}
