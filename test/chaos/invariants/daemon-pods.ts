import type { DaemonSet } from "../../../src/api/generated/apps-v1.ts";
import type { Node, Pod } from "../../../src/api/generated/core-v1.ts";
import { isBeingDeleted, keyOf } from "../../../src/api/object.ts";
import { controllerOf, isControlledBy } from "../../../src/api/owner-references.ts";
import { isAvailable } from "../../../src/api/pod-state.ts";
import { daemonSets, nodes as nodeResource, pods } from "../../../src/api/resources.ts";
import type { Instant } from "../../../src/api/time.ts";
import { nodeOfDaemonPod } from "../../../src/decisions/daemon/daemon-pods.ts";
import { type NodeEligibility, nodeEligibility } from "../../../src/decisions/daemon/node-eligibility.ts";
import { allowsSurge, updateBudget } from "../../../src/decisions/daemon/update-budget.ts";
import type { Store } from "../../../src/cluster/store/store.ts";
import type { ObservedCommit } from "../../../src/simulation/observation.ts";
import type { Invariant } from "./invariant.ts";
import { podChangeIn, stored } from "./stored.ts";

/** At rest every node has the Pods of DaemonSets that it should have, and the status says so. */
export const daemonPodsWhereTheyBelong: Invariant = {
  name: "daemon-pods-where-they-belong",
  description:
    "when stable, a DaemonSet has one current Pod on each node that should run one, and reports so",
  begin: ({ clock, store }) => ({
    stable() {
      const present = store();
      if (present === undefined) return undefined;
      for (const each of stored.daemonSets(present)) {
        const problem = checkAtRest(fleetOf(each, present), clock.now());
        if (problem !== undefined) return `DaemonSet ${keyOf(each)}: ${problem}`;
      }
      return undefined;
    },
  }),
};

/**
 * A controller with an outdated view may create a second Pod, or replace one too many: so this holds without faults and
 * without latency.
 */
export const daemonBudget: Invariant = {
  name: "daemon-budget-in-fact",
  description:
    "a rollout of a DaemonSet keeps to maxUnavailable and maxSurge, with one Pod a node or two with maxSurge",
  begin: ({ clock, conditions, store }) => {
    if (conditions.hasFaults || conditions.latencyMs > 0) return {};
    // A user may change the budget or a node while a sync goes on.
    const synced = new Map<string, Pick<Fleet, "daemonSet" | "nodes">>();
    return {
      "sync-began"({ by, key }) {
        if (by.component !== "daemonset") return undefined;
        const read = by.informers?.of(daemonSets).get(key);
        const known = by.informers?.of(nodeResource).list() ?? [];
        if (read !== undefined)
          synced.set(read.metadata.uid, { daemonSet: read, nodes: judged(known, read) });
        return undefined;
      },
      commit(commit) {
        const present = store();
        if (present === undefined || commit.collection !== pods.plural) return undefined;
        const read = synced.get(controllerOf(podChangeIn(commit.event).pod)?.uid ?? "");
        if (commit.by?.component !== "daemonset" || read === undefined) return undefined;
        const fleet = fleetOf(read.daemonSet, present);
        const left = new Set(fleet.nodes.filter(shouldRun).map(({ name }) => name));
        const problem = checkCommit(commit, { ...fleet, ...read, left }, clock.now());
        return problem && `DaemonSet ${keyOf(read.daemonSet)}: ${problem}`;
      },
    };
  },
};

/** A DaemonSet with its nodes and Pods. */
interface Fleet {
  readonly daemonSet: DaemonSet;
  readonly nodes: readonly { readonly name: string; readonly eligibility: NodeEligibility }[];
  /** Those that are not being deleted. */
  readonly podsOn: ReadonlyMap<string, readonly Pod[]>;
}

/** A DaemonSet as a sync read it, and the nodes that should run a Pod by now: a taint may evict one meanwhile. */
interface SyncedFleet extends Fleet {
  readonly left: ReadonlySet<string>;
}

const shouldRun = ({ eligibility }: Fleet["nodes"][number]) => eligibility.kind === "runs";

function fleetOf(daemonSet: DaemonSet, store: Store): Fleet {
  const podsOn = new Map<string, Pod[]>();
  for (const pod of stored.pods(store)) {
    if (!isControlledBy(pod, daemonSet.metadata.uid) || isBeingDeleted(pod)) continue;
    const node = nodeOfDaemonPod(pod) ?? "";
    podsOn.set(node, [...(podsOn.get(node) ?? []), pod]);
  }
  return { daemonSet, nodes: judged(stored.nodes(store), daemonSet), podsOn };
}

function judged(nodes: readonly Node[], daemonSet: DaemonSet): Fleet["nodes"] {
  const eligibilityOf = nodeEligibility(daemonSet);
  return nodes.map((node) => ({ name: node.metadata.name, eligibility: eligibilityOf(node) }));
}

function checkAtRest(fleet: Fleet, now: Instant): string | undefined {
  return checkNodes(fleet) ?? checkStatus(fleet, now);
}

function checkNodes({ nodes, podsOn }: Fleet): string | undefined {
  for (const { name, eligibility } of nodes) {
    const count = podsOn.get(name)?.length ?? 0;
    if (eligibility.kind === "runs" && count !== 1) return `${name} has ${count} Pods, not one`;
    if (eligibility.kind === "keeps" && count > 1) return `${name} keeps ${count} Pods`;
    if (eligibility.kind === "excluded" && count > 0) return `${name} should have no Pod`;
  }
  return undefined;
}

function checkStatus({ daemonSet, nodes, podsOn }: Fleet, now: Instant): string | undefined {
  const { status = noStatus, spec, metadata } = daemonSet;
  const { minReadySeconds = 0 } = spec;
  const { numberAvailable = 0, updatedNumberScheduled = 0 } = status;
  const desired = nodes.filter(shouldRun);
  const available = desired.filter(({ name }) =>
    podsOn.get(name)?.some((pod) => isAvailable(pod, minReadySeconds, now)),
  );
  const figures = [
    ["desiredNumberScheduled", status.desiredNumberScheduled, desired.length],
    ["numberAvailable", numberAvailable, available.length],
    ["updatedNumberScheduled", updatedNumberScheduled, desired.length],
    ["observedGeneration", status.observedGeneration, metadata.generation],
  ] as const;
  const wrong = figures.find(([, is, should]) => is !== should);
  return wrong && `status.${wrong[0]} is ${wrong[1]}, not ${wrong[2]}`;
}

const noStatus: NonNullable<DaemonSet["status"]> = {
  currentNumberScheduled: 0,
  desiredNumberScheduled: 0,
  numberMisscheduled: 0,
  numberReady: 0,
};

function checkCommit({ event }: ObservedCommit, fleet: SyncedFleet, now: Instant): string | undefined {
  const { pod, was } = podChangeIn(event);
  return was === undefined ? checkCreation(pod, fleet) : checkDeletion(was, fleet, now);
}

function checkCreation(pod: Pod, { daemonSet, podsOn }: Fleet): string | undefined {
  const node = nodeOfDaemonPod(pod) ?? "";
  const count = podsOn.get(node)?.length ?? 0;
  const most = allowsSurge(daemonSet) ? 2 : 1;
  return count > most ? `${node} has ${count} Pods, and may have ${most}` : undefined;
}

/** A deletion of the only available Pod of a node has to be within the budget. */
function checkDeletion(
  was: Pod,
  { daemonSet, nodes, podsOn, left }: SyncedFleet,
  now: Instant,
): string | undefined {
  const { minReadySeconds = 0 } = daemonSet.spec;
  if (isBeingDeleted(was) || !isAvailable(was, minReadySeconds, now)) return undefined;
  const desired = nodes.filter(shouldRun);
  const isServed = (name: string) =>
    podsOn.get(name)?.some((pod) => isAvailable(pod, minReadySeconds, now)) === true;
  const node = nodeOfDaemonPod(was);
  const isCounted = desired.some(({ name }) => name === node) && node !== undefined && !isServed(node);
  const unavailable = desired.filter(({ name }) => left.has(name) && !isServed(name)).length;
  const { maxUnavailable } = updateBudget(daemonSet, desired.length);
  return isCounted && unavailable > maxUnavailable
    ? `${unavailable} nodes are not available after Pod ${keyOf(was)} of ${node}, and ${maxUnavailable} may be`
    : undefined;
}
