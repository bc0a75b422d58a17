import { expect, test } from "vitest";
import type { ReplicaSet } from "../../../api/generated/apps-v1.ts";
import type { Node, Pod, TopologySpreadConstraint } from "../../../api/generated/core-v1.ts";
import { node } from "../../../testing/node.ts";
import { pod, type PodTraits } from "../../../testing/pod.ts";
import { replicaSet } from "../../../testing/replica-set.ts";
import { runToEnd } from "../../../testing/run-to-end.ts";
import { clusterViewOf } from "../view/list-view.ts";
import type { PodTopologySpreadArgs } from "./args.ts";
import { measureWorkloadSkew } from "./workload-skew.ts";

const zone = "topology.kubernetes.io/zone";
const host = "kubernetes.io/hostname";
const nodes = ["a1", "a2", "b1", "c1"].map((name) => node(name, { zone: name.charAt(0) }));

/** The ReplicaSet of the Deployment web, of one revision. */
function revision(name: string, hash: string): ReplicaSet {
  const made = replicaSet(name);
  const owner = { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "u", controller: true };
  return {
    ...made,
    metadata: { ...made.metadata, ownerReferences: [owner] },
    spec: { ...made.spec, selector: { matchLabels: { app: "web", hash } } },
  };
}

const replicaSets = [revision("web-1", "1"), revision("web-2", "2")];

/** Pods of a revision, by counts on the nodes in order: `2/1/0/0`. */
function podsOf(counts: string, hash: string, traits: PodTraits = {}): readonly Pod[] {
  return counts.split("/").flatMap((count, index) =>
    Array.from({ length: Number(count) }, (_, each) =>
      pod(`web-${hash}-${index}-${each}-${traits.deletedAt ?? ""}`, {
        node: nodes[index]?.metadata.name ?? "",
        labels: { hash },
        owner: { apiVersion: "apps/v1", kind: "ReplicaSet", name: `web-${hash}` },
        ...traits,
      }),
    ),
  );
}

interface SkewCase {
  readonly name: string;
  readonly pods: readonly Pod[];
  readonly nodes?: readonly Node[];
  readonly args?: PodTopologySpreadArgs;
  readonly want: Readonly<Record<string, number>>;
}

const system: PodTopologySpreadArgs = { defaultingType: "System" };

function measure({ pods, nodes: given = nodes, args = system }: SkewCase): Readonly<Record<string, number>> {
  const steps = measureWorkloadSkew(clusterViewOf({ nodes: given, pods, replicaSets }), () => args);
  return Object.fromEntries(
    runToEnd(steps).map(({ workload: { kind, name }, constraint, skew }) => [
      `${kind}/${name} ${constraint.topologyKey}`,
      skew,
    ]),
  );
}

const own = (topologyKey: string, more: Partial<TopologySpreadConstraint> = {}) => ({
  spec: {
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey,
        whenUnsatisfiable: "DoNotSchedule",
        labelSelector: { matchLabels: { app: "web" } },
        ...more,
      },
    ],
  },
});

test.for<SkewCase>([
  {
    name: "by the built-in constraints, over hosts and zones",
    pods: podsOf("4/1/2/1", "1"),
    want: { [`Deployment/web ${host}`]: 3, [`Deployment/web ${zone}`]: 4 },
  },
  {
    name: "against an empty domain",
    pods: podsOf("2/0/2/0", "1"),
    want: { [`Deployment/web ${host}`]: 2, [`Deployment/web ${zone}`]: 2 },
  },
  {
    name: "by default of the newest revision alone, since each is spread by itself",
    pods: [...podsOf("6/0/0/0", "1"), ...podsOf("1/0/1/1", "2", { createdAt: "2026-01-01T00:01:00Z" })],
    want: { [`Deployment/web ${host}`]: 1, [`Deployment/web ${zone}`]: 0 },
  },
  {
    name: "by constraints of its own over all revisions that they select",
    pods: [
      ...podsOf("6/0/0/0", "1", own(zone)),
      ...podsOf("1/0/1/1", "2", { createdAt: "2026-01-01T00:01:00Z", ...own(zone) }),
    ],
    want: { [`Deployment/web ${zone}`]: 6 },
  },
  {
    name: "without terminating Pods",
    pods: [...podsOf("1/1/1/1", "1"), ...podsOf("5/0/0/0", "1", { deletedAt: "2026-01-01T00:01:00Z" })],
    want: { [`Deployment/web ${host}`]: 0, [`Deployment/web ${zone}`]: 1 },
  },
  {
    name: "without nodes that its Pods may not use",
    pods: podsOf("2/1/0/0", "1", {
      spec: { ...own(host).spec, nodeSelector: { [zone]: "a" } },
    }),
    want: { [`Deployment/web ${host}`]: 1 },
  },
  {
    name: "against 0 while there are fewer domains than it demands",
    pods: podsOf("1/1/1/1", "1", own(zone, { minDomains: 4 })),
    want: { [`Deployment/web ${zone}`]: 2 },
  },
  {
    name: "by the operator's list",
    pods: podsOf("3/0/1/1", "1"),
    args: {
      defaultingType: "List",
      defaultConstraints: [{ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "ScheduleAnyway" }],
    },
    want: { [`Deployment/web ${zone}`]: 2 },
  },
  { name: "not at all where no constraint applies", pods: [pod("bare", { node: "a1" })], want: {} },
  {
    name: "not at all where no node has the key",
    pods: podsOf("2/0/0/0", "1", own("rack")),
    want: {},
  },
  {
    name: "not by a constraint that selects none of its Pods",
    pods: podsOf("2/0/0/0", "1", own(zone, { labelSelector: { matchLabels: { app: "other" } } })),
    want: {},
  },
])("a workload's skew is measured $name", (given) => {
  expect(measure(given)).toEqual(given.want);
});
