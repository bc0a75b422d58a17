import type { Pod } from "../../src/api/generated/core-v1.ts";
import type { OpenChoice } from "../../src/decisions/downscale/choose-as-kubernetes.ts";
import { countPerNode } from "../../src/decisions/downscale/co-location.ts";
import type { Facts } from "../../src/decisions/downscale/facts.ts";
import type { DecidedPod } from "../../src/decisions/downscale/reason.ts";
import { removalProfiles } from "../../src/decisions/downscale/removal-profiles.ts";
import type { ClusterObjects } from "../../src/decisions/explain/cluster-objects.ts";
import { activePodsOf, relatedPodsOf } from "../../src/decisions/explain/owned-objects.ts";
import { burst } from "../../src/decisions/replicas/plan-replicas.ts";
import type { ReplicaOwner } from "../../src/decisions/replicas/replica-owner.ts";
import type { DecisionContext } from "./decision-context.ts";

/** The objects and what else a preview is made from. */
export interface PreviewInput {
  readonly objects: ClusterObjects;
  readonly context: DecisionContext;
}

/** What a removal from an owner's Pods is decided by; `gone` are Pods that are removed before. */
export function removalFacts(
  owner: ReplicaOwner,
  { objects, context }: PreviewInput,
  gone: ReadonlySet<Pod> = new Set(),
): Facts {
  const { now, gates, profile } = context;
  const related = relatedPodsOf(owner, objects, profile).filter((pod) => !gone.has(pod));
  return { now, gates, related: countPerNode(related) };
}

/**
 * Chooses the Pods that an owner removes, as its controller does: in batches, each of which sees the Pods of the one before as
 * gone.
 */
export function chooseRemoved(owner: ReplicaOwner, count: number, input: PreviewInput): OpenChoice {
  const { choose } = removalProfiles[input.context.profile];
  const victims: DecidedPod[] = [];
  const gone = new Set<Pod>();
  let active = activePodsOf(owner, input.objects);
  let choice: OpenChoice = { victims: [], survivors: active.map((pod) => ({ pod })), either: [] };
  for (let left = Math.min(count, active.length); left > 0; left = count - victims.length) {
    choice = choose(active, Math.min(left, burst), removalFacts(owner, input, gone));
    victims.push(...choice.victims);
    for (const { pod } of choice.victims) gone.add(pod);
    active = active.filter((pod) => !gone.has(pod));
    if (choice.either.length > 0 || active.length === 0) break;
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

/** Where a Pod stands in the removal order, and the two comparisons that put it there; `undefined` when it does not count. */
export function removalRank(pod: Pod, owner: ReplicaOwner, input: PreviewInput): RemovalRank | undefined {
  const active = activePodsOf(owner, input.objects);
  if (!active.includes(pod)) return undefined;
  const { choose } = removalProfiles[input.context.profile];
  const facts = removalFacts(owner, input);
  const { victims, either, survivors } = choose(active, active.length - 1, facts);
  const order = [...victims.map((each) => each.pod), ...either, ...survivors.map((each) => each.pod)];
  const place = order.indexOf(pod);
  const goes = choose(active, place + 1, facts).victims.find((each) => each.pod === pod);
  const stays = choose(active, place, facts).survivors.find((each) => each.pod === pod);
  return {
    place,
    of: active.length,
    isOpen: either.includes(pod),
    ...(goes?.because !== undefined && { goes }),
    ...(stays?.because !== undefined && { stays }),
  };
}
