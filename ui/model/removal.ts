import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod, ReplicationController } from "../../src/api/generated/core-v1.ts";
import { matchesLabels } from "../../src/api/labels/label-selector.ts";
import { controllerOf } from "../../src/api/owner-references.ts";
import { isActive } from "../../src/api/pod-state.ts";
import { countPerNode } from "../../src/decisions/downscale/co-location.ts";
import type { OpenChoice } from "../../src/decisions/downscale/choose-as-kubernetes.ts";
import type { Facts } from "../../src/decisions/downscale/facts.ts";
import type { DecidedPod } from "../../src/decisions/downscale/reason.ts";
import { removalProfiles } from "../../src/decisions/downscale/removal-profiles.ts";
import { burst } from "../../src/decisions/replicas/plan-replicas.ts";
import { labelMapSelection, workloadSelection } from "../../src/machinery/ownership/workload-selection.ts";
import type { ClusterState } from "../live/cluster-state.ts";
import type { DecisionContext } from "./rollout.ts";

/** A ReplicaSet or ReplicationController: what deletes Pods. */
export type Owner = ReplicaSet | ReplicationController;

/** What a removal from an owner's Pods is decided by; `gone` are Pods that are removed before. */
export function removalFacts(
  owner: Owner,
  state: ClusterState,
  { context, gone = new Set() }: { readonly context: DecisionContext; readonly gone?: ReadonlySet<Pod> },
): Facts {
  const { now, gates } = context;
  const related = [...relatedPods(owner, state)].filter((pod) => !gone.has(pod));
  return { now, gates, related: countPerNode(related) };
}

/** The Pods that count for co-location: those that any ReplicaSet of the same controller selects. */
function* relatedPods(owner: Owner, { collections }: ClusterState): Iterable<Pod> {
  const selections = siblingsOf(owner, collections).flatMap((sibling) => selectionOf(sibling) ?? []);
  for (const pod of collections.pods.values()) {
    if (pod.metadata.namespace !== owner.metadata.namespace) continue;
    if (selections.some((selection) => matchesLabels(selection, pod.metadata.labels))) yield pod;
  }
}

function siblingsOf(owner: Owner, { replicaSets }: ClusterState["collections"]): readonly Owner[] {
  const controller = controllerOf(owner)?.uid;
  if (controller === undefined) return [owner];
  return [...replicaSets.values()].filter((other) => controllerOf(other)?.uid === controller);
}

function selectionOf(owner: Owner) {
  return owner.kind === "ReplicationController"
    ? labelMapSelection(owner as ReplicationController)
    : workloadSelection(owner);
}

/** The Pods that count towards an owner's size. */
export function activePods(owner: Owner, state: ClusterState): readonly Pod[] {
  return state.podsByController.in(owner.metadata.uid).filter(isActive);
}

/**
 * Chooses the Pods that an owner removes, as its controller does: in batches, each of which sees the Pods of the one before as
 * gone.
 */
export function chooseRemoved(
  owner: Owner,
  count: number,
  { state, context }: { readonly state: ClusterState; readonly context: DecisionContext },
): OpenChoice {
  const { choose } = removalProfiles[context.profile];
  const victims: DecidedPod[] = [];
  const gone = new Set<Pod>();
  let active = activePods(owner, state);
  let choice: OpenChoice = { victims: [], survivors: active.map((pod) => ({ pod })), either: [] };
  for (let left = Math.min(count, active.length); left > 0;) {
    const facts = removalFacts(owner, state, { context, gone });
    choice = choose(active, Math.min(left, burst), facts);
    victims.push(...choice.victims);
    for (const { pod } of choice.victims) gone.add(pod);
    active = active.filter((pod) => !gone.has(pod));
    left -= choice.victims.length;
    if (choice.either.length > 0 || choice.victims.length === 0) break;
  }
  return { ...choice, victims };
}

/** The place of a Pod in the removal order of its owner. */
export interface RemovalRank {
  /** How many Pods go before it. */
  readonly place: number;
  readonly of: number;
  /** Whether the order leaves open where the Pod stands among others. */
  readonly isOpen: boolean;
  /** The Pod as the last one removed, compared with the one that stays next. */
  readonly goes?: DecidedPod;
  /** The Pod as the first one kept, compared with the one that goes last. */
  readonly stays?: DecidedPod;
}

/** Where a Pod stands in the removal order, and the two comparisons that put it there. */
export function removalRank(
  pod: Pod,
  owner: Owner,
  { state, context }: { readonly state: ClusterState; readonly context: DecisionContext },
): RemovalRank | undefined {
  const active = activePods(owner, state);
  if (!active.includes(pod)) return undefined;
  const { choose } = removalProfiles[context.profile];
  const facts = removalFacts(owner, state, { context });
  const whole = choose(active, active.length - 1, facts);
  const order = [
    ...whole.victims.map((each) => each.pod),
    ...whole.either,
    ...whole.survivors.map((each) => each.pod),
  ];
  const place = order.indexOf(pod);
  const goes = choose(active, place + 1, facts).victims.find((each) => each.pod === pod);
  const stays = choose(active, place, facts).survivors.find((each) => each.pod === pod);
  return {
    place,
    of: active.length,
    isOpen: whole.either.includes(pod),
    ...(goes?.because !== undefined && { goes }),
    ...(stays?.because !== undefined && { stays }),
  };
}
