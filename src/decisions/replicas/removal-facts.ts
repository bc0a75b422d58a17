import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Node, Pod } from "../../api/generated/core-v1.ts";
import type { Instant } from "../../api/time.ts";
import { countPerNodeInSteps } from "../downscale/co-location.ts";
import { nodeLoadsInSteps } from "../downscale/consolidation.ts";
import type { Facts } from "../downscale/facts.ts";
import type { RemovalProfileName } from "../downscale/removal-profiles.ts";
import { finish, type Steps } from "../downscale/steps.ts";
import { type SpreadWorkload, spreadOfInSteps } from "../spread/spread-of.ts";
import { isRankedByNodes, type ReplicaOwner } from "./replica-owner.ts";

/** What a removal from the Pods of an owner is decided by; see `gatherRemoval` in decisions/gather. */
export interface RemovalState {
  readonly owner: ReplicaOwner;
  /** Its active Pods. */
  readonly active: readonly Pod[];
  /** The Pods that count for co-location, each of them once; iterated only when that can matter. */
  readonly related: Iterable<Pod>;
  /** What the domains of the Pods are found by; absent where a removal does not look at them. */
  readonly spread?: Pick<SpreadWorkload, "nodes" | "services" | "defaultsFor"> | undefined;
  /** What says how full nodes are; absent: the workload does not ask for nodes to be emptied. */
  readonly emptying?: { readonly nodes: readonly Node[]; readonly pods: Iterable<Pod> } | undefined;
  readonly gates: FeatureGates;
  /** The annotations of Pods whose deletion cost a program wrote; absent: every cost is a person's word. */
  readonly machineCosts?: readonly string[] | undefined;
  /** The order in which Pods are removed; absent: Trimtab's. */
  readonly removalProfile?: RemovalProfileName | undefined;
  readonly now: Instant;
}

/** Counts what the removal order compares, with pauses: in the middle of a choice all would be counted at once. */
export function* removalFactsInSteps(state: RemovalState): Steps<Facts> {
  const { owner, active: pods, related } = state;
  const facts = uncountedFacts(state);
  if (!comparesNodes(state)) return facts;
  const { emptying } = state;
  if (emptying !== undefined)
    return { ...facts, loads: yield* nodeLoadsInSteps(emptying.pods, emptying.nodes) };
  if (state.spread === undefined) return { ...facts, related: yield* countPerNodeInSteps(related) };
  const spread = yield* spreadOfInSteps({ owner, pods, related, ...state.spread });
  // By constraints, Pods that share a node are not compared.
  if (spread.constraints.length > 0) return { ...facts, spread };
  return { ...facts, spread, related: yield* countPerNodeInSteps(related) };
}

/** Variant that does not pause. */
export function removalFacts(state: RemovalState): Facts {
  return finish(removalFactsInSteps(state));
}

/** Returns the facts for the question to a picker, before anything is counted; co-location is counted on demand. */
export function uncountedFacts(state: RemovalState): Facts {
  const { now, gates, related, machineCosts } = state;
  const known = { now, gates, ...(machineCosts === undefined ? {} : { machineCosts }) };
  if (!comparesNodes(state)) return { ...known, related: () => 0 };
  let counted: Facts["related"] | undefined;
  return { ...known, related: (pod) => (counted ??= finish(countPerNodeInSteps(related)))(pod) };
}

/** kube-controller-manager counts no Pods for a ReplicaSet without a controller, and none for a ReplicationController. */
function comparesNodes({ owner, removalProfile }: RemovalState): boolean {
  return removalProfile !== "kubernetes-1.36" || isRankedByNodes(owner);
}

/** Returns the state without these Pods, for the next decision. */
export function withoutPods(state: RemovalState, gone: ReadonlySet<Pod>): RemovalState {
  const { active, related } = state;
  const isLeft = (pod: Pod) => !gone.has(pod);
  return { ...state, active: active.filter(isLeft), related: [...related].filter(isLeft) };
}
