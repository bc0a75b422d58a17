import type { Node, Pod } from "../../src/api/generated/core-v1.ts";
import { isActive } from "../../src/api/pod-state.ts";
import { zoneLabel } from "../../src/api/well-known.ts";
import type { ClusterState } from "../live/cluster-state.ts";
import { collator } from "./workloads.ts";

export interface Zone {
  /** Empty for the nodes without the label. */
  readonly name: string;
  readonly nodes: readonly Node[];
}

/** The zone of a node, empty when its labels name none. */
export function zoneNameOf(node: Node | undefined): string {
  return node?.metadata.labels?.[zoneLabel] ?? "";
}

const layouts = new WeakMap<ClusterState, { readonly version: number; readonly zones: readonly Zone[] }>();

/** The nodes by zone, both in the order of their names; the same array for as long as no node changes. */
export function zonesOf(state: ClusterState): readonly Zone[] {
  if (state.collections.nodes.size === 0) return zonesOfPods(state);
  const known = layouts.get(state);
  if (known?.version === state.nodesVersion) return known.zones;
  const groups = groupBy(state.collections.nodes.values(), zoneNameOf);
  const zones = [...groups]
    .map(([name, nodes]) => ({
      name,
      nodes: nodes.toSorted((a, b) => collator.compare(a.metadata.name, b.metadata.name)),
    }))
    .toSorted((a, b) => collator.compare(a.name, b.name));
  layouts.set(state, { version: state.nodesVersion, zones });
  return zones;
}

const namedNodes = new WeakMap<ClusterState, Map<string, Node>>();

/** Where nodes cannot be read: those that Pods name, in no zone. */
function zonesOfPods(state: ClusterState): readonly Zone[] {
  const known = namedNodes.get(state) ?? new Map<string, Node>();
  namedNodes.set(state, known);
  const names = new Set<string>();
  for (const { spec } of state.collections.pods.values())
    if ((spec?.nodeName ?? "") !== "") names.add(spec.nodeName ?? "");
  const nodes = [...names].toSorted(collator.compare).map((name) => {
    const node = known.get(name) ?? namedNode(name);
    known.set(name, node);
    return node;
  });
  return nodes.length === 0 ? [] : [{ name: "", nodes }];
}

function namedNode(name: string): Node {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, uid: name, resourceVersion: "", creationTimestamp: "" },
    spec: {},
  };
}

/** How Pods are spread over zones. */
export interface ZoneSpread {
  readonly perZone: ReadonlyMap<string, number>;
  /** The largest number less the smallest, over the zones with a node that takes new Pods. */
  readonly skew: number;
}

/** Counts the active Pods per zone. */
export function zoneSpreadOf(pods: Iterable<Pod>, state: ClusterState): ZoneSpread {
  const perZone = new Map(zonesOf(state).map(({ name }) => [name, 0]));
  for (const pod of pods) {
    if (!isActive(pod) || pod.spec?.nodeName === undefined) continue;
    const zone = zoneNameOf(state.collections.nodes.get(pod.spec.nodeName));
    perZone.set(zone, (perZone.get(zone) ?? 0) + 1);
  }
  return spreadOf(perZone, state);
}

function spreadOf(perZone: ReadonlyMap<string, number>, state: ClusterState): ZoneSpread {
  const eligible = zonesOf(state).filter(({ nodes }) =>
    nodes.some((node) => node.spec?.unschedulable !== true),
  );
  const counts = eligible.map(({ name }) => perZone.get(name) ?? 0);
  return { perZone, skew: counts.length === 0 ? 0 : Math.max(...counts) - Math.min(...counts) };
}

/** The spread once some Pods are gone and others run on nodes. */
export function zoneSpreadAfter(
  pods: Iterable<Pod>,
  {
    removed,
    placed,
    state,
  }: { readonly removed: ReadonlySet<Pod>; readonly placed: readonly string[]; readonly state: ClusterState },
): ZoneSpread {
  const left = [...pods].filter((pod) => !removed.has(pod));
  const perZone = new Map(zoneSpreadOf(left, state).perZone);
  for (const node of placed) {
    const zone = zoneNameOf(state.collections.nodes.get(node));
    perZone.set(zone, (perZone.get(zone) ?? 0) + 1);
  }
  return spreadOf(perZone, state);
}

/** Items by a key; the groups are in the order in which their keys appear. */
export function groupBy<T>(
  items: Iterable<T>,
  keyOf: (item: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
