import type { ReplicaSet } from "../../../api/generated/apps-v1.ts";
import type {
  Node,
  Pod,
  PodSpec,
  Service,
  TopologySpreadConstraint,
} from "../../../api/generated/core-v1.ts";
import type { LabelSelector } from "../../../api/generated/meta-v1.ts";
import { node } from "../../../testing/node.ts";
import { pod } from "../../../testing/pod.ts";
import { answerOfBoth } from "../plugin-fixture.cases.ts";
import type { ClusterView } from "../view/cluster-view.ts";
import { clusterViewOf, type PlacementObjects } from "../view/list-view.ts";
import type { PodTopologySpreadArgs } from "./args.ts";

/**
 * A cluster and a Pod to be spread over it. Counts are per node in order, `2/1/0/3`; the nodes are a and b in zone1 and
 * x and y in zone2 unless others are given; the Pod has the label `foo` unless it has others.
 */
export interface SpreadCase {
  readonly name: string;
  readonly nodes?: readonly Node[];
  /** Pods with the label `foo`, with `bar`, and with both. */
  readonly foo?: string;
  readonly bar?: string;
  readonly both?: string;
  /** Pods with `foo` in another namespace, and such that are terminating. */
  readonly elsewhere?: string;
  readonly terminating?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly constraints?: readonly TopologySpreadConstraint[];
  readonly spec?: Partial<PodSpec>;
  readonly owner?: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  readonly args?: PodTopologySpreadArgs;
  readonly services?: readonly Service[];
  readonly replicaSets?: readonly ReplicaSet[];
}

/** The nodes of a case that names none, with labels `zone` and `node`. */
export const fourNodes: readonly Node[] = [
  place("a", { zone: "zone1" }),
  place("b", { zone: "zone1" }),
  place("x", { zone: "zone2" }),
  place("y", { zone: "zone2" }),
];

/** A node with a label `node` and others; `null` leaves that one out. */
export function place(name: string, labels: Readonly<Record<string, string | null>> = {}, traits = {}): Node {
  const all = Object.entries({ node: name, ...labels }).flatMap(([key, value]) =>
    value === null ? [] : [[key, value]],
  );
  return node(name, { labels: Object.fromEntries(all) as Record<string, string>, ...traits });
}

export const hasFoo: LabelSelector = { matchExpressions: [{ key: "foo", operator: "Exists" }] };
export const hasBar: LabelSelector = { matchExpressions: [{ key: "bar", operator: "Exists" }] };

type Details = Partial<Omit<TopologySpreadConstraint, "labelSelector">> & {
  readonly labelSelector?: LabelSelector | null;
};

/** A constraint on Pods with `foo` by at most 1, unless said otherwise; a selector of `null` is left out. */
export function hard(
  topologyKey: string,
  { labelSelector = hasFoo, ...details }: Details = {},
): TopologySpreadConstraint {
  const constraint = { maxSkew: 1, topologyKey, whenUnsatisfiable: "DoNotSchedule", ...details };
  return labelSelector === null ? constraint : { ...constraint, labelSelector };
}

export function soft(topologyKey: string, details: Details = {}): TopologySpreadConstraint {
  return hard(topologyKey, { whenUnsatisfiable: "ScheduleAnyway", ...details });
}

/** A Service that selects Pods by one label. */
export function service(name: string, selector: Readonly<Record<string, string>>): Service {
  const metadata = { name, namespace: "default", uid: `uid-of-${name}`, resourceVersion: "1" };
  return { metadata, spec: { selector } };
}

/** The cluster of a case. */
export function clusterOf(given: SpreadCase): ClusterView {
  return clusterViewOf(objectsOf(given));
}

/** What a question about the cluster of a case gets for an answer, by the view of lists and by that of a scheduler. */
export function answerFor<T>(given: SpreadCase, ask: (cluster: ClusterView) => T): T {
  return answerOfBoth(objectsOf(given), ask);
}

function objectsOf(given: SpreadCase): PlacementObjects {
  const { nodes = fourNodes, services = [], replicaSets = [] } = given;
  const place = (counts: string | undefined, traits: Parameters<typeof pod>[1]): readonly Pod[] =>
    (counts ?? "").split("/").flatMap((count, index) =>
      Array.from({ length: Number(count) }, (_, each) =>
        pod(`${JSON.stringify(traits)}-${index}-${each}`, {
          ...traits,
          node: nodes[index]?.metadata.name ?? null,
        }),
      ),
    );
  const pods = [
    ...place(given.foo, { labels: { foo: "" } }),
    ...place(given.bar, { labels: { bar: "" } }),
    ...place(given.both, { labels: { foo: "", bar: "" } }),
    ...place(given.elsewhere, { labels: { foo: "" }, namespace: "elsewhere" }),
    ...place(given.terminating, { labels: { foo: "" }, deletedAt: "2026-01-01T00:01:00Z" }),
  ];
  return { nodes, pods, services, replicaSets };
}

/** The Pod of a case. */
export function podOfCase({ labels = { foo: "" }, constraints, spec, owner }: SpreadCase): Pod {
  return pod("incoming", {
    node: null,
    phase: "Pending",
    labels,
    ...(owner === undefined ? {} : { owner }),
    spec: { ...(constraints === undefined ? {} : { topologySpreadConstraints: constraints }), ...spec },
  });
}
