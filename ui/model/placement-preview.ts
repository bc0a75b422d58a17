import type { Pod } from "../../src/api/generated/core-v1.ts";
import { findPodToPlace } from "../../src/decisions/explain/hypothetical-pod.ts";
import { feasibleNodesToFind } from "../../src/decisions/placement/find-feasible-nodes.ts";
import { failedSchedulingMessage } from "../../src/decisions/explain/placement-reason.ts";
import { type Placement, placePod } from "../../src/decisions/placement/place-pod.ts";
import { podInfo } from "../../src/decisions/placement/objects/pod-info.ts";
import { clusterViewOf, type ListView } from "../../src/decisions/placement/view/list-view.ts";
import type { SchedulerProfile } from "../../src/page/contract.ts";
import { pluginsOf, profileOf } from "./placement.ts";
import type { PreviewInput } from "./removal.ts";
import type { PreviewedCreation } from "./scale-preview.ts";

/** Where a Pod that a scale would create would run. */
export interface PreviewedPlacement {
  readonly owner: string;
  /** Absent when no node takes it. */
  readonly node?: string;
  /** How many other nodes are as good: the scheduler draws one. */
  readonly asGood: number;
  /** Whether its scheduler samples nodes, and so may choose another one than this comparison of all nodes. */
  readonly comparesSome: boolean;
  /** Why none takes it, or what decides. */
  readonly reason: string;
}

/** Limits the Pods that are placed, since each placement compares all nodes. */
export const mostPlaced = 25;

/**
 * Places the Pods that a scale would create, one after the other, by the functions that the scheduler calls: each sees those
 * before it. Of nodes that are equally good the first is taken.
 */
export function previewPlacements(
  creations: readonly PreviewedCreation[],
  { objects, context }: PreviewInput,
  profiles: readonly SchedulerProfile[],
): readonly PreviewedPlacement[] {
  let cluster = clusterViewOf(objects);
  const placed: PreviewedPlacement[] = [];
  for (const { kind, namespace, owner, count } of creations) {
    const found = findPodToPlace(objects, { kind, namespace, name: owner }, context.now);
    if (found.kind !== "found") continue;
    const profile = profileOf(found.pod, profiles);
    const pluginSet = pluginsOf(profile, context);
    const comparesSome = comparesSomeOf(objects.nodes.length, profile);
    if ((found.pod.spec.schedulingGates ?? []).length > 0) {
      placed.push({ owner, asGood: 0, comparesSome, reason: "its scheduling gates hold it back" });
      continue;
    }
    const most = Math.min(count, mostPlaced - placed.length);
    for (let index = 0; index < most; index++) {
      const options = { pluginSet, draw: () => 1, percentageOfNodesToScore: 100 };
      const placement = placePod(found.pod, cluster, options);
      placed.push({ owner, comparesSome, ...previewed(placement) });
      const occupied = occupy(cluster, found.pod, placement);
      if (occupied === undefined) break; // the others would not be placed either
      cluster = occupied;
    }
  }
  return placed;
}

function previewed(placement: Placement): Omit<PreviewedPlacement, "owner" | "comparesSome"> {
  const { outcome, feasible } = placement;
  if (outcome.kind !== "placed")
    return { asGood: 0, reason: failedSchedulingMessage(placement) ?? "no node takes it" };
  const { node, by } = outcome;
  if (by.kind !== "score") return { node, asGood: 0, reason: "no other node fits" };
  return {
    node,
    asGood: Math.max(0, by.best.length - 1),
    reason: `${by.total} points, the most of ${feasible.length} nodes that fit`,
  };
}

/** The cluster with the Pod on its node, for the placements after it; `undefined` when it has none. */
function occupy(cluster: ListView, pod: Pod, { outcome }: Placement): ListView | undefined {
  if (outcome.kind !== "placed") return undefined;
  const node = cluster.nodes.find(({ name }) => name === outcome.node);
  if (node === undefined) return undefined;
  return cluster.withPod(node, podInfo({ ...pod, spec: { ...pod.spec, nodeName: outcome.node } }));
}

function comparesSomeOf(nodes: number, profile: SchedulerProfile | undefined): boolean {
  return feasibleNodesToFind(nodes, profile?.percentageOfNodesToScore) < nodes;
}
