import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { Pod, ReplicationController } from "../../api/generated/core-v1.ts";
import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import { formatTime } from "../../api/time.ts";
import { deployment } from "../../testing/deployment.ts";
import { node } from "../../testing/node.ts";
import { pod, type PodTraits } from "../../testing/pod.ts";
import { replicaSet, type ReplicaSetTraits } from "../../testing/replica-set.ts";
import { type ClusterObjects, noObjects } from "./cluster-objects.ts";
import { explainScaleDown, type ScaleDownExplanation, type ScaleDownQuestion } from "./explain-scale-down.ts";
import type { ExplainedObject } from "./object-reference.ts";
import { scaleDownText } from "./scale-down-text.ts";

const now = 1_767_312_000_000; // 2026-01-02T00:00:00Z

function podsOf(owner: string, traits: Readonly<Record<string, PodTraits>>): readonly Pod[] {
  return Object.entries(traits).map(([name, own]) =>
    pod(name, {
      ...own,
      labels: { "pod-template-hash": owner, ...own.labels },
      owner: { apiVersion: "apps/v1", kind: "ReplicaSet", name: owner },
    }),
  );
}

const revision = (name: string, traits: ReplicaSetTraits = {}): ReplicaSet =>
  replicaSet(name, { owner: "web", ...traits });

/** A Deployment of four Pods with one thing each that rules look at. */
const four: ClusterObjects = {
  ...noObjects,
  deployments: [deployment("web", { replicas: 4 })],
  replicaSets: [revision("web-a", { size: 4, revision: 1, desired: 4 })],
  pods: podsOf("web-a", {
    cheap: { deletionCost: -5, node: "node-2" },
    pending: { node: null, phase: "Pending", ready: false },
    plain: { node: "node-3" },
    preferred: { labels: { "kubernetes.io/prefer-for-scale-down": "" }, node: "node-4" },
  }),
};

const web: ExplainedObject = { kind: "Deployment", namespace: "default", name: "web" };

function explained(objects: ClusterObjects, question: Partial<ScaleDownQuestion> = {}): ScaleDownExplanation {
  const explanation = explainScaleDown(objects, {
    workload: web,
    replicas: 2,
    now,
    profile: "trimtab",
    ...question,
  });
  if (explanation === undefined) throw new Error("the workload was not found");
  return explanation;
}

const verdicts = ({ owners }: ScaleDownExplanation): readonly string[] =>
  owners.flatMap(({ candidates }) => candidates.map(({ pod: name, verdict }) => `${name} ${verdict}`));

const rules = ({ owners }: ScaleDownExplanation): readonly string[] =>
  owners.flatMap(({ candidates }) =>
    candidates.flatMap(({ beforeNext }) => {
      if (beforeNext === undefined) return [];
      return beforeNext.decided ? [beforeNext.because.rule] : ["either"];
    }),
  );

describe("The explanation of a scale-down", () => {
  test("lists the Pods in removal order, with the rule between neighbours", () => {
    const explanation = explained(four);
    expect(verdicts(explanation)).toEqual(["pending goes", "cheap goes", "preferred stays", "plain stays"]);
    expect(rules(explanation)).toEqual(["unassigned", "deletion-cost", "preferred"]);
    expect(explanation).toMatchObject({ from: 4, to: 2, removing: 2 });
  });

  test("has the values that were compared", () => {
    const [, second] = explained(four).owners[0]?.candidates ?? [];
    expect(second?.beforeNext).toMatchObject({
      because: { rule: "deletion-cost", value: -5, against: { pod: "preferred", value: 0 } },
      reason: "deletion-cost: -5, preferred has 0",
    });
  });

  test("by the order of Kubernetes does not look at the label, and leaves ties open", () => {
    const explanation = explained(four, { profile: "kubernetes-1.36", replicas: 1 });
    expect(verdicts(explanation)).toEqual(["pending goes", "cheap goes", "plain either", "preferred either"]);
    expect(rules(explanation)).toEqual(["unassigned", "deletion-cost", "either"]);
  });

  test.each([
    { replicas: 4, removing: 0, says: "4 → 4 replicas. No Pod goes: it has 4 Pods." },
    { replicas: 6, removing: 0, says: "4 → 6 replicas. No Pod goes: this is a scale-up." },
    { replicas: 3, removing: 1, says: "4 → 3 replicas. 1 of 4 Pods goes." },
    { replicas: 0, removing: 4, says: "All Pods go, so that the order does not matter." },
  ])("says at $replicas replicas: $says", ({ replicas, removing, says }) => {
    const explanation = explained(four, { replicas });
    expect(explanation.removing).toBe(removing);
    expect(scaleDownText(explanation)).toContain(says);
  });

  test("shares the new size between the revisions of a rollout as the Deployment controller does", () => {
    const objects: ClusterObjects = {
      ...noObjects,
      deployments: [deployment("web", { replicas: 10, image: "registry.example/app:2", maxSurge: 0 })],
      replicaSets: [
        revision("web-a", { size: 6, revision: 1, desired: 10, max: 10 }),
        revision("web-b", {
          size: 4,
          revision: 2,
          desired: 10,
          max: 10,
          image: "registry.example/app:2",
          createdAt: "2026-01-01T01:00:00Z",
        }),
      ],
      pods: [
        ...podsOf("web-a", Object.fromEntries([1, 2, 3, 4, 5, 6].map((each) => [`a-${each}`, {}]))),
        ...podsOf("web-b", Object.fromEntries([1, 2, 3, 4].map((each) => [`b-${each}`, {}]))),
      ],
    };
    const { owners, removing, because } = explained(objects, { replicas: 5 });
    expect(owners.map(({ name, role, from, to }) => ({ name, role, from, to }))).toEqual([
      { name: "web-b", role: "new", from: 4, to: 2 },
      { name: "web-a", role: "old", from: 6, to: 3 },
    ]);
    expect(removing).toBe(5);
    expect(because).toContain("in proportion");
    const { notes } = explained(objects, { replicas: 5, profile: "kubernetes-1.36" });
    expect(notes).toEqual([expect.stringContaining("of several ReplicaSets at the same time")]);
  });

  test("gives up the old revision of a paused rollout when the new one has all Pods that are wanted", () => {
    const image = "registry.example/app:2";
    const createdAt = "2026-01-01T01:00:00Z";
    const shape = { desired: 10, max: 15 };
    const objects: ClusterObjects = {
      ...noObjects,
      deployments: [deployment("web", { replicas: 10, image, maxSurge: 5, paused: true })],
      replicaSets: [
        revision("web-a", { ...shape, size: 10, revision: 1 }),
        revision("web-b", { ...shape, size: 5, revision: 2, image, createdAt }),
      ],
      pods: [],
    };
    const sizes = (replicas: number) => explained(objects, { replicas }).owners.map(({ to }) => to);
    expect(sizes(4)).toEqual([3, 6]);
    // In proportion these are 2 and 5; the two are all that is wanted, and available.
    expect(sizes(2)).toEqual([2, 0]);
  });

  test("of a ReplicaSet without a Deployment looks at nodes, but not as kube-controller-manager", () => {
    const workload = { ...web, kind: "ReplicaSet", name: "web-a" } as const;
    const objects = {
      ...noObjects,
      replicaSets: [replicaSet("web-a", { size: 3 })],
      pods: podsOf("web-a", {
        alone: { node: "node-1", readyAt: "2026-01-01T23:59:00Z" },
        one: { node: "node-2" },
        other: { node: "node-2" },
      }),
    };
    const goes = (profile: ScaleDownQuestion["profile"]) =>
      verdicts(explained(objects, { workload, profile })).slice(0, 1);
    expect(goes("trimtab")).toEqual(["one goes"]);
    expect(goes("kubernetes-1.36")).toEqual(["alone goes"]);
  });

  test("counts Pods on a node by all revisions, and anew after every 500 that go", () => {
    const names = Array.from({ length: 1002 }, (_, index) => `p-${String(index).padStart(4, "0")}`);
    // 501 Pods on one node, and 501 on nodes of their own, all alike otherwise.
    const traits = names.map((name, index) => [name, { node: index < 501 ? "crowded" : `alone-${index}` }]);
    const objects = {
      ...noObjects,
      replicaSets: [replicaSet("web-a", { size: 1002 })],
      pods: podsOf("web-a", Object.fromEntries(traits) as Readonly<Record<string, PodTraits>>),
    };
    const workload = { ...web, kind: "ReplicaSet", name: "web-a" } as const;
    const [owner] = explained(objects, { workload, replicas: 2 }).owners;
    const crowded = owner?.candidates.slice(0, 500).every(({ node }) => node === "crowded");
    expect(crowded).toBe(true);
    // The last one of the crowd is alone by now, and no longer the first to go.
    expect(owner?.candidates[500]?.beforeNext).toMatchObject({ because: { rule: "uid" } });
  });

  describe("finds out whose controllers decide", () => {
    const written = (manager: string, time = "2026-01-01T00:00:00Z") => ({
      manager,
      operation: "Update",
      subresource: "status",
      time,
    });
    const managedBy = (...entries: readonly ReturnType<typeof written>[]): Deployment => {
      const { metadata, ...rest } = deployment("web", { replicas: 4 });
      return { ...rest, metadata: { ...metadata, managedFields: entries } };
    };
    test.each([
      { by: [written("deployment")], profile: "trimtab", controllers: "embedded", how: "found" },
      { by: [written("trimtab-controllers")], profile: "trimtab", controllers: "external", how: "found" },
      {
        by: [written("kube-controller-manager")],
        profile: "kubernetes-1.36",
        controllers: "stock",
        how: "found",
      },
      { by: [], profile: "kubernetes-1.36", controllers: "stock", how: "assumed" },
      {
        by: [written("kube-controller-manager"), written("trimtab-controllers", "2026-01-01T00:00:01Z")],
        profile: "trimtab",
        controllers: "external",
        how: "found",
      },
    ])("$controllers ($how) from $by", ({ by, ...decidedBy }) => {
      const objects = { ...four, deployments: [managedBy(...by)] };
      expect(explained(objects, { profile: undefined }).decidedBy).toMatchObject(decidedBy);
    });

    test("steered ones by the wish of the workload, or of its namespace", () => {
      const labels = { "trimtab.dev/removal-order": "trimtab" };
      const metadata = { name: "default", uid: "uid", resourceVersion: "1", labels };
      const objects = { ...four, namespaces: [{ metadata, spec: {} }] };
      expect(explained(objects, { profile: undefined }).decidedBy).toMatchObject({
        profile: "trimtab",
        controllers: "steered",
        how: "assumed",
      });
    });
  });

  describe("of a workload that keeps its zones even", () => {
    const spread: ClusterObjects = {
      ...four,
      nodes: ["a1", "b1", "b2"].map((name) => node(name, { zone: name.slice(0, 1) })),
      pods: podsOf("web-a", {
        one: { node: "a1" },
        two: { node: "b1" },
        three: { node: "b1" },
        four: { node: "b2" },
      }),
    };
    const gates: ScaleDownQuestion["gates"] = (defaults) => ({ ...defaults, TopologyAwareScaleDown: true });

    test("has the Pods of every domain before and after", () => {
      const explanation = explained(spread, { gates });
      expect(rules(explanation)[0]).toBe("spread");
      expect(explanation.owners[0]?.spread?.constraints).toMatchObject([
        {
          topologyKey: "topology.kubernetes.io/zone",
          domains: [
            { before: 3, after: 1 },
            { before: 1, after: 1 },
          ],
        },
        { topologyKey: "kubernetes.io/hostname" },
      ]);
      expect(scaleDownText(explanation)).toContain("\nPods per zone: b 3 → 1, a 1\nPods per host: ");
    });

    test("counts the domains of the scheduler's defaults, and says where those are assumed", () => {
      const rack = { maxSkew: 1, topologyKey: "rack", whenUnsatisfiable: "ScheduleAnyway" };
      const spreadDefaults = () => ({ defaultingType: "List", defaultConstraints: [rack] }) as const;
      const known = explained(spread, { gates, spreadDefaults });
      expect(known.owners[0]?.spread?.constraints).toMatchObject([{ topologyKey: "rack" }]);
      const assumed = "The workload has no topologySpreadConstraints of its own: the built-in ones";
      expect(scaleDownText(known)).not.toContain(assumed);
      expect(scaleDownText(explained(spread, { gates }))).toContain(assumed);
    });

    test("has none where domains are not looked at", () => {
      expect(explained(spread).owners[0]?.spread).toBeUndefined();
      expect(explained(spread, { gates, profile: "kubernetes-1.36" }).owners[0]?.spread).toBeUndefined();
    });

    test("looks at domains where the namespace of a steered workload asks for it", () => {
      const labels = { "trimtab.dev/scale-down-spread": "true" };
      const metadata = { name: "default", uid: "uid-of-default", resourceVersion: "1", labels };
      const namespaces = [{ apiVersion: "v1", kind: "Namespace", metadata, spec: {} }];
      const explanation = explained({ ...spread, namespaces }, { profile: undefined });
      expect(explanation.decidedBy.controllers).toBe("steered");
      expect(explanation.owners[0]?.spread?.constraints).toHaveLength(2);
    });
  });

  describe("with a pod picker", () => {
    const picker = { http: { host: "picker", port: 80 } };
    const objects: ClusterObjects = {
      ...four,
      replicaSets: [revision("web-a", { size: 4, desired: 4, picker })],
      pods: podsOf("web-a", {
        one: {},
        two: { node: "node-2" },
        three: { node: "node-3" },
        four: { deletionCost: 3 },
      }),
    };

    test("says what it would be asked, and the order without an answer", () => {
      const explanation = explained(objects);
      expect(explanation.owners[0]?.pickers).toEqual([{ candidates: ["one", "three", "two"], requested: 2 }]);
      expect(scaleDownText(explanation)).toContain("would be asked to choose 2 of 3 Pods (one, three, two)");
    });

    test("goes by its answer", () => {
      const answer = { outcome: "it chose three and tied one", chosen: ["three"], tied: ["one"] };
      const explanation = explained(objects, { pickerAnswers: { "web-a": [answer] } });
      expect(verdicts(explanation)).toEqual(["three goes", "one goes", "two stays", "four stays"]);
      expect(rules(explanation)).toEqual(["picker", "picker", "deletion-cost"]);
    });

    test("does not ask where the gate is off, and says so", () => {
      const explanation = explained(objects, {
        gates: (defaults) => ({ ...defaults, DownscalePodPicker: false }),
      });
      expect(explanation.owners[0]?.pickers).toEqual([]);
      expect(explanation.notes).toEqual([expect.stringContaining("DownscalePodPicker")]);
    });

    test("does not speak of the picker of another namespace", () => {
      const [owner] = objects.replicaSets;
      const stranger = { ...owner, metadata: { ...owner?.metadata, namespace: "other" } } as ReplicaSet;
      const replicaSets = [...four.replicaSets, stranger];
      const gates: ScaleDownQuestion["gates"] = (defaults) => ({ ...defaults, DownscalePodPicker: false });
      expect(explained({ ...four, replicaSets }, { gates }).notes).toEqual([]);
    });
  });

  test("serves ReplicationControllers", () => {
    const owner = { apiVersion: "v1", kind: "ReplicationController", name: "old" };
    const controller: ReplicationController = {
      apiVersion: "v1",
      kind: "ReplicationController",
      metadata: { name: "old", namespace: "default", uid: "uid-of-old", resourceVersion: "1" },
      spec: { replicas: 2, selector: { app: "web" } },
    };
    const objects = {
      ...noObjects,
      replicationControllers: [controller],
      pods: [pod("a", { owner }), pod("b", { owner, ready: false })],
    };
    const workload = { kind: "ReplicationController", namespace: "default", name: "old" } as const;
    expect(verdicts(explained(objects, { workload, replicas: 1 }))).toEqual(["b goes", "a stays"]);
  });

  test("is nothing for a workload that is not there", () => {
    expect(explainScaleDown(noObjects, { workload: web, replicas: 1, now })).toBeUndefined();
  });

  test("is plain JSON", () => {
    const explanation = explained(four);
    expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation);
  });
});

describe("A scale-down as text", () => {
  test("is what the golden file says", async () => {
    await expect(`${scaleDownText(explained(four))}\n`).toMatchFileSnapshot(
      "../../../test/golden/explain/scale-down.txt",
    );
  });

  test("by the order of Kubernetes is what the golden file says", async () => {
    const explanation = explained(four, { profile: "kubernetes-1.36", replicas: 1 });
    await expect(`${scaleDownText(explanation, { isWide: true })}\n`).toMatchFileSnapshot(
      "../../../test/golden/explain/scale-down-kubernetes.txt",
    );
  });

  test("goes by the gates that an embedded cluster says it has", () => {
    const embeddedGates = { ...defaultFeatureGates, LogarithmicScaleDown: false };
    expect(explained(four, { embeddedGates }).gates.LogarithmicScaleDown).toBe(false);
    const asKubernetes = explained(four, { embeddedGates, profile: "kubernetes-1.36" });
    expect(asKubernetes.gates.LogarithmicScaleDown).toBe(true);
  });

  test("says that times are compared roughly only where they are", () => {
    const times = { young: { readyAt: formatTime(now - 1000) }, old: { readyAt: formatTime(now - 1e8) } };
    const objects = { ...four, pods: podsOf("web-a", times) };
    const told = (isLogarithmic: boolean) =>
      scaleDownText(
        explained(objects, {
          replicas: 1,
          gates: (defaults) => ({ ...defaults, LogarithmicScaleDown: isLogarithmic }),
        }),
      );
    expect(told(true)).toContain(
      "ready-time: Pods that became Ready later go first; times are compared roughly",
    );
    expect(told(false)).toContain("ready-time: Pods that became Ready later go first.");
  });

  test("leaves out most of a long list, and says so", () => {
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`p-${index}`, {}]));
    const objects = { ...four, pods: podsOf("web-a", many) };
    const text = scaleDownText(explained(objects, { replicas: 20 }));
    expect(text).toContain("… and 10 more that go, 15 more that stay; -o wide shows all.");
    expect(scaleDownText(explained(objects, { replicas: 20 }), { isWide: true })).not.toContain("more that");
    const asKubernetes = explained(objects, { replicas: 20, profile: "kubernetes-1.36" });
    expect(scaleDownText(asKubernetes)).toContain("\n… and 30 more of which some may go; -o wide shows all.");
  });
});
