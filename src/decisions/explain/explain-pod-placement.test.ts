import { describe, expect, test } from "vitest";
import type { Pod } from "../../api/generated/core-v1.ts";
import { deployment } from "../../testing/deployment.ts";
import { node } from "../../testing/node.ts";
import { pod, type PodTraits } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { defaultScheduler } from "./assumed-scheduler.ts";
import { type ClusterObjects, noObjects } from "./cluster-objects.ts";
import { explainPodPlacement, type PodPlacementExplanation } from "./explain-pod-placement.ts";
import { findPodToPlace } from "./hypothetical-pod.ts";
import { placementText } from "./placement-text.ts";

const now = 1_767_312_000_000; // 2026-01-02T00:00:00Z
const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-a" };
const member = (name: string, traits: PodTraits = {}): Pod =>
  pod(name, { owner, ...traits, labels: { "pod-template-hash": "web-a", ...traits.labels } });

const cluster: ClusterObjects = {
  ...noObjects,
  nodes: [
    node("node-1", { zone: "a" }),
    node("node-2", { zone: "b" }),
    node("node-3", { zone: "b", taints: [{ key: "gpu", value: "yes", effect: "NoSchedule" }] }),
    node("node-4", { zone: "c", allocatable: { cpu: "100m" } }),
  ],
  deployments: [deployment("web", { replicas: 2 })],
  replicaSets: [replicaSet("web-a", { owner: "web", size: 2 })],
  services: [
    {
      metadata: { name: "web", namespace: "default", uid: "uid-of-service", resourceVersion: "1" },
      spec: { selector: { app: "web" } },
    },
  ],
  pods: [member("web-1", { node: "node-1" }), member("web-2", { node: "node-1" })],
};

const requesting = (cpu: string) => ({
  containers: [{ name: "app", image: "registry.example/app:1", resources: { requests: { cpu } } }],
});

function explained(
  subject: Pod,
  { objects = cluster, isHypothetical = true }: { objects?: ClusterObjects; isHypothetical?: boolean } = {},
): PodPlacementExplanation {
  const configuration = "the default configuration";
  return explainPodPlacement(objects, {
    pod: subject,
    isHypothetical,
    scheduler: defaultScheduler(),
    configuration,
    now,
  });
}

const waiting = (traits: PodTraits = {}) =>
  member("new", { node: null, phase: "Pending", ready: false, ...traits });

describe("The explanation of a placement", () => {
  test("has the verdict on every node and the source of every constraint", () => {
    const explanation = explained(waiting({ spec: requesting("200m") }));
    expect(explanation.choices).toEqual(["node-2"]);
    expect(explanation.nodes.map(({ node: name, verdict }) => `${name} ${verdict}`)).toEqual([
      "node-2 chosen",
      "node-1 possible",
      "node-3 refused",
      "node-4 refused",
    ]);
    expect(explanation.spread).toEqual([
      expect.stringMatching(
        /hostname, at most 3 more in one than in another \(the built-in defaults, for Service web and ReplicaSet web-a\)$/,
      ),
      expect.stringMatching(
        /zone, at most 5 more in one than in another \(the built-in defaults, for Service web and ReplicaSet web-a\)$/,
      ),
    ]);
  });

  test("names all nodes that are equally good", () => {
    const objects = { ...cluster, pods: [], nodes: [node("one"), node("other")] };
    const explanation = explained(waiting(), { objects });
    expect(explanation.choices).toEqual(["one", "other"]);
    expect(placementText(explanation)).toContain("would go to one of one, other, by lot");
  });

  test("leaves the place that the Pod itself has out of account", () => {
    const full = { ...cluster, nodes: [node("node-1", { allocatable: { cpu: "1" } })] };
    const own = member("web-1", { node: "node-1", spec: requesting("1") });
    const explanation = explained(own, { objects: { ...full, pods: [own] }, isHypothetical: false });
    expect(explanation).toMatchObject({ currentNode: "node-1", choices: ["node-1"] });
    expect(placementText(explanation)).toContain(
      "runs on node-1. Placed anew now, it would go to node-1: no other node fits.",
    );
  });

  test("says why there is no node, and what preemption would do", () => {
    const low = pod("low", {
      node: "node-1",
      spec: { ...requesting("1"), priority: 1 },
      labels: { app: "low" },
    });
    const objects = { ...cluster, nodes: [node("node-1", { allocatable: { cpu: "1" } })], pods: [low] };
    const explanation = explained(waiting({ spec: { ...requesting("1"), priority: 10 } }), { objects });
    expect(explanation).toMatchObject({
      choices: [],
      because: "0/1 nodes are available: 1 Insufficient cpu.",
      preemption: expect.stringContaining("preempts pod default/low (priority 1) on node node-1") as string,
    });
  });

  test.each([
    {
      what: "a Pod with gates",
      spec: { schedulingGates: [{ name: "quota" }] },
      says: "SchedulingGates holds it back",
    },
    {
      what: "a Pod with volumes",
      spec: { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] },
      says: "The Pod has volumes, and no claims are known: where those can be reached is not looked at.",
    },
  ])("tells about $what", ({ spec, says }) => {
    const explanation = explained(waiting({ spec: { ...requesting("10m"), ...spec } }));
    expect(placementText(explanation)).toContain(says);
  });

  test("says in which zone the volume of a Pod is", () => {
    const metadata = (name: string) => ({ name, uid: name, resourceVersion: "1" });
    const matchExpressions = [{ key: "topology.kubernetes.io/zone", operator: "In", values: ["a"] }];
    const objects = {
      ...cluster,
      nodes: [node("node-a", { zone: "a" }), node("node-b", { zone: "b" })],
      pods: [],
      persistentVolumeClaims: [
        {
          metadata: { ...metadata("data"), namespace: "default" },
          spec: { volumeName: "disk" },
          status: { phase: "Bound" },
        },
      ],
      persistentVolumes: [
        {
          metadata: metadata("disk"),
          spec: { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } } },
        },
      ],
    };
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    const explanation = explained(waiting({ spec: { volumes } }), { objects });
    expect(explanation.choices).toEqual(["node-a"]);
    expect(placementText(explanation)).toContain(
      "volume disk of claim data is in topology.kubernetes.io/zone a",
    );
  });

  test("says that a scheduler does not look at all nodes of a large cluster", () => {
    const many = Array.from({ length: 300 }, (_, index) => node(`node-${index}`));
    const explanation = explained(waiting(), { objects: { ...cluster, nodes: many, pods: [] } });
    expect(explanation.nodes).toHaveLength(300);
    expect(explanation.notes).toEqual([expect.stringMatching(/^The scheduler stops at \d+ nodes that fit/)]);
  });

  test("is plain JSON", () => {
    const explanation = explained(waiting({ spec: requesting("200m") }));
    expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation);
  });

  test("as text is what the golden file says", async () => {
    const explanation = explained(waiting({ spec: requesting("200m") }));
    const texts = [placementText(explanation), placementText(explanation, { isWide: true })];
    await expect(`${texts.join("\n\n---\n\n")}\n`).toMatchFileSnapshot(
      "../../../test/golden/explain/placement.txt",
    );
  });
});

describe("The Pod to be placed", () => {
  const at = { namespace: "default" };
  test.each([
    { kind: "Deployment", name: "web", labels: { app: "web", "pod-template-hash": "web-a" } },
    { kind: "ReplicaSet", name: "web-a", labels: { app: "web", "pod-template-hash": "web-a" } },
  ] as const)("of a $kind is the next one that it creates", ({ kind, name, labels }) => {
    const found = findPodToPlace(cluster, { ...at, kind, name }, now);
    expect(found).toMatchObject({ kind: "found", isHypothetical: true, pod: { metadata: { labels } } });
  });

  test("of a Deployment with a new template belongs to the ReplicaSet that is to be created", () => {
    const objects = { ...cluster, deployments: [deployment("web", { image: "registry.example/app:2" })] };
    const found = findPodToPlace(objects, { ...at, kind: "Deployment", name: "web" }, now);
    const name = found.kind === "found" ? found.pod.metadata.name : "";
    expect(name).toMatch(/^web-[a-z0-9]+-…$/);
    expect(name).not.toContain("web-a-");
  });

  test("has the priority of its class", () => {
    const classes = [
      { metadata: { name: "high", uid: "1", resourceVersion: "1" }, value: 1000 },
      { metadata: { name: "rest", uid: "2", resourceVersion: "1" }, value: 5, globalDefault: true },
    ];
    const found = findPodToPlace(
      { ...cluster, priorityClasses: classes },
      { ...at, kind: "Deployment", name: "web" },
      now,
    );
    expect(found).toMatchObject({ pod: { spec: { priority: 5 } } });
  });

  test("is unknown where the object is", () => {
    expect(findPodToPlace(cluster, { ...at, kind: "Pod", name: "none" }, now)).toEqual({ kind: "unknown" });
  });
});
