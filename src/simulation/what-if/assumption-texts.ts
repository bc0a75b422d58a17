import { controllerOf } from "../../api/owner-references.ts";
import { isActive } from "../../api/pod-state.ts";
import { countText } from "../../decisions/explain/text-table.ts";
import type { DecidedBy } from "../../decisions/explain/decided-by.ts";
import { type Assumptions, isFailing } from "../snapshot/simulated-objects.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** The assumptions of a what-if. */
export interface Assumed extends Assumptions {
  readonly controllers: DecidedBy["controllers"];
  /** How the scheduler is configured, as the end of a sentence. */
  readonly scheduler: string;
  /** What pod pickers answered before, as sentences; absent: they are not asked. */
  readonly pickers?: readonly string[] | undefined;
  /** Whether the nodes are assumed, since the user may not list them. */
  readonly hasAssumedNodes?: boolean | undefined;
}

/** Returns the assumptions that the snapshot does not confirm, as sentences. */
export function assumptionTexts(snapshot: Snapshot, assumed: Assumed): readonly string[] {
  const { objects, namespace, isAnonymised } = snapshot;
  const { startUp = "500ms", termination = "1s" } = assumed;
  const failing = objects.pods.filter((pod) => isActive(pod) && isFailing(pod)).length;
  const idle = idleKinds(snapshot);
  return [
    ...(hasRemovalOrder(snapshot) ? orderTexts(assumed) : []),
    `Pods are placed by ${assumed.scheduler}, where their volumes can be reached.`,
    `A new Pod is ready ${startUp} after it got a node, and a Pod that is deleted ends after ${termination}, unless annotations or probes say otherwise.`,
    ...(failing === 0 ? [] : [`${countText(failing, "Pod")} that cannot start now go on failing.`]),
    ...(isAnonymised && objects.statefulSets.length > 0
      ? ["StatefulSets are not simulated: the names of an anonymised snapshot have no ordinals."]
      : []),
    ...(idle.length === 0
      ? []
      : [`Pods of ${idle.join(", ")} that go are not replaced: these are not simulated.`]),
    ...unseenTexts(namespace, assumed),
  ];
}

/** What the user may not list, and what is assumed instead. */
function unseenTexts(namespace: Snapshot["namespace"], { hasAssumedNodes }: Assumed): readonly string[] {
  if (hasAssumedNodes === true)
    return [
      "Nodes are not seen: each that a Pod names is assumed, with room, without taints, and all in one zone, so that zones decide nothing.",
    ];
  if (namespace === undefined) return [];
  return [`There are only the Pods of namespace ${namespace}: nodes have more room than they really have.`];
}

/** By which order Pods go, and what pickers had to do with it. */
function orderTexts({ controllers, pickers }: Assumed): readonly string[] {
  const asked = pickers === undefined ? "not asked" : "asked about scales alone, before the simulation";
  return [`Pods go in the order of ${orderOf(controllers)}; pod pickers are ${asked}.`, ...(pickers ?? [])];
}

/** Pods of StatefulSets go by their ordinal, those of DaemonSets by their node: no order chooses among them. */
function hasRemovalOrder({ objects }: Snapshot): boolean {
  const { deployments, replicaSets, replicationControllers } = objects;
  return [deployments, replicaSets, replicationControllers].some(({ length }) => length > 0);
}

function orderOf(controllers: DecidedBy["controllers"]): string {
  return controllers === "stock"
    ? "kube-controller-manager; where that leaves it open, by UID"
    : "Trimtab's controllers";
}

/** The kinds that own Pods and do nothing in a simulation. */
function idleKinds({ objects, isAnonymised }: Snapshot): readonly string[] {
  const sets = isAnonymised ? ["DaemonSet"] : ["DaemonSet", "StatefulSet"];
  const simulated = new Set(["ReplicaSet", "ReplicationController", "Node", ...sets]);
  const kinds = objects.pods.map((pod) => controllerOf(pod)?.kind ?? "Node");
  return [...new Set(kinds)]
    .filter((kind) => !simulated.has(kind))
    .map((kind) => `${kind}s`)
    .sort();
}
