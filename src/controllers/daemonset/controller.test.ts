import { afterEach, expect, test } from "vitest";
import type { DaemonSetSpec, DaemonSetStatus } from "../../api/generated/apps-v1.ts";
import type { Pod, PodSpec } from "../../api/generated/core-v1.ts";
import { compareText } from "../../api/compare-text.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { controllerRevisions, daemonSets, events, nodes, pods } from "../../api/resources.ts";
import { apiFailure } from "../../machinery/client/api-error.ts";
import type { Interceptor } from "../../machinery/client/intercept-client.ts";
import { testCluster, type TestCluster, type TestClusterOptions } from "../../testing/test-cluster.ts";

let cluster: TestCluster;
afterEach(() => cluster.stop());

const at = (name: string) => ({ namespace: "default", name });
const labels = { app: "agent" };

interface Traits extends Partial<Omit<DaemonSetSpec, "template">> {
  readonly podSpec?: Partial<PodSpec>;
  readonly annotations?: Readonly<Record<string, string>>;
}

async function create({ podSpec, annotations = {}, ...spec }: Traits = {}): Promise<void> {
  const containers = [{ name: "agent", image: "agent:1" }];
  await cluster.client.create(daemonSets, {
    metadata: at("agent"),
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations }, spec: { containers, ...podSpec } },
      ...spec,
    },
  });
}

async function start(traits: Traits = {}, options: TestClusterOptions = {}): Promise<void> {
  cluster = await testCluster(options);
  await create(traits);
  await cluster.clock.advance(10_000);
}

const patch = (spec: unknown) =>
  cluster.client.patch(daemonSets, at("agent"), { type: "strategic", body: { spec } as never });
const setImage = (image: string, annotations: Readonly<Record<string, string>> = {}) =>
  patch({ template: { metadata: { annotations }, spec: { containers: [{ name: "agent", image }] } } });
const podsOf = async (): Promise<readonly Pod[]> => (await cluster.client.list(pods, {})).items;
const statusOf = async () => (await cluster.client.get(daemonSets, at("agent"))).status;
const imagesOf = async () =>
  Object.fromEntries((await podsOf()).map(({ spec }) => [spec?.nodeName, spec?.containers[0]?.image]));
const nodesOf = async () => (await podsOf()).map(({ spec }) => spec?.nodeName ?? "").toSorted(compareText);
const revisionsOf = async () =>
  (await cluster.client.list(controllerRevisions, {})).items
    .map(({ revision }) => revision)
    .toSorted((a, b) => a - b);
const messagesOf = async (reason: string) =>
  (await cluster.client.list(events, {})).items
    .filter((event) => event.reason === reason && event.involvedObject.kind === "DaemonSet")
    .map(({ message = "" }) => message);

const everywhere: DaemonSetStatus = {
  currentNumberScheduled: 3,
  desiredNumberScheduled: 3,
  numberAvailable: 3,
  numberMisscheduled: 0,
  numberReady: 3,
  observedGeneration: 1,
  updatedNumberScheduled: 3,
};
const three = ["node-1", "node-2", "node-3"];

test.for(["in-process", "https"] as const)("a DaemonSet runs a Pod on every node (%s)", async (transport) => {
  await start({}, { observed: ["daemonset"], transport });
  expect(await nodesOf()).toEqual(three);
  expect(await statusOf()).toEqual(everywhere);
  expect(await revisionsOf()).toEqual([1]);
  const [pod] = await podsOf();
  const affinity = pod?.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  expect(affinity?.nodeSelectorTerms).toEqual([
    { matchFields: [{ key: "metadata.name", operator: "In", values: [pod?.spec?.nodeName] }] },
  ]);
  expect(await messagesOf("SuccessfulCreate")).toHaveLength(3);
  const writes = () =>
    cluster.observed.requests.filter(({ verb }) => verb !== "get" && verb !== "list").length;
  const settled = writes();
  await cluster.clock.advance(600_000);
  expect(writes()).toBe(settled);
});

test("new nodes get a Pod, and deleted ones count no more", async () => {
  await start();
  await cluster.client.create(nodes, {
    metadata: { name: "node-4", labels: { "sim.trimtab.dev/node": "true" } },
    spec: {},
  });
  await cluster.clock.advance(1000);
  expect(await statusOf()).toMatchObject({ desiredNumberScheduled: 4, currentNumberScheduled: 4 });
  await cluster.client.delete(nodes, { name: "node-4" });
  await cluster.clock.advance(1000);
  expect(await statusOf()).toMatchObject({ desiredNumberScheduled: 3, currentNumberScheduled: 3 });
});

test("a node gets a Pod when it matches the node selector, and loses it when it does not any more", async () => {
  await start({ podSpec: { nodeSelector: { disk: "ssd" } } });
  expect(await statusOf()).toMatchObject({ desiredNumberScheduled: 0, numberMisscheduled: 0 });
  const label = (disk: string | null) =>
    cluster.client.patch(
      nodes,
      { name: "node-2" },
      { type: "merge", body: { metadata: { labels: { disk } } } },
    );
  await label("ssd");
  await cluster.clock.advance(10_000);
  expect(await nodesOf()).toEqual(["node-2"]);
  await label(null);
  await cluster.clock.advance(60_000);
  expect(await podsOf()).toEqual([]);
  const [message = ""] = await messagesOf("SuccessfulDelete");
  expect(message).toMatch(
    /^Deleted pod: agent-\w{5} \(not-eligible: node-2 should not run it: the node lacks the label disk=ssd of its node selector\)$/,
  );
});

test("a NoSchedule taint keeps the Pod that is there, and a NoExecute taint removes it", async () => {
  await start();
  const taint = (effect: string) =>
    cluster.client.patch(
      nodes,
      { name: "node-1" },
      { type: "merge", body: { spec: { taints: [{ key: "x", effect }] } } },
    );
  await taint("NoSchedule");
  await cluster.clock.advance(10_000);
  expect(await nodesOf()).toEqual(three);
  expect(await statusOf()).toMatchObject({ desiredNumberScheduled: 2, numberMisscheduled: 1 });
  await taint("NoExecute");
  await cluster.clock.advance(60_000);
  expect(await nodesOf()).toEqual(["node-2", "node-3"]);
  expect(await statusOf()).toMatchObject({ desiredNumberScheduled: 2, numberMisscheduled: 0 });
});

test("a Pod that is deleted is logged with its reason", async () => {
  await start();
  const first = (await podsOf()).find(({ spec }) => spec?.nodeName === "node-1");
  await patch({ template: { spec: { nodeSelector: { "kubernetes.io/hostname": "node-2" } } } });
  await cluster.clock.advance(10_000);
  const { deletions } = cluster.decisions;
  expect(deletions.find({ namespace: "default", name: "agent" })).toContainEqual(
    expect.objectContaining({
      workload: expect.objectContaining({ kind: "DaemonSet", name: "agent" }),
      pod: first?.metadata.name,
      node: "node-1",
      rule: "not-eligible",
      reason: expect.stringContaining("lacks the label kubernetes.io/hostname=node-2"),
    }),
  );
});

test("a cordoned node keeps its Pod, and one that a user deletes there comes back", async () => {
  await start();
  await cluster.client.patch(
    nodes,
    { name: "node-1" },
    { type: "merge", body: { spec: { unschedulable: true } } },
  );
  const pod = (await podsOf()).find(({ spec }) => spec?.nodeName === "node-1");
  await cluster.client.delete(pods, pod?.metadata ?? { name: "" });
  await cluster.clock.advance(60_000);
  expect(await nodesOf()).toEqual(three);
  expect(await statusOf()).toMatchObject({ desiredNumberScheduled: 3, numberAvailable: 3 });
});

test("a new template replaces the Pods node by node", async () => {
  await start();
  const seen: string[] = [];
  await setImage("agent:2");
  for (let second = 0; second < 120; second++) {
    await cluster.clock.advance(1000);
    const alive = (await podsOf()).filter((pod) => !isBeingDeleted(pod));
    seen.push(
      String(
        alive.filter(({ status }) =>
          status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True"),
        ).length,
      ),
    );
  }
  expect(new Set(seen)).not.toContain("1");
  expect(await imagesOf()).toEqual({ "node-1": "agent:2", "node-2": "agent:2", "node-3": "agent:2" });
  expect(await revisionsOf()).toEqual([1, 2]);
  expect(await statusOf()).toEqual({ ...everywhere, observedGeneration: 2 });
});

test("a template that comes back makes its revision the newest, and replaces only what is not of it", async () => {
  await start();
  const before = new Map((await podsOf()).map(({ spec, metadata }) => [spec?.nodeName, metadata.uid]));
  await setImage("agent:broken", { "sim.trimtab.dev/neverReady": "true" });
  await cluster.clock.advance(120_000);
  expect(await imagesOf()).toMatchObject({
    "node-1": "agent:broken",
    "node-2": "agent:1",
    "node-3": "agent:1",
  });
  await patch({
    template: {
      metadata: { annotations: { "sim.trimtab.dev/neverReady": null } },
      spec: { containers: [{ name: "agent", image: "agent:1" }] },
    },
  });
  await cluster.clock.advance(120_000);
  expect(await imagesOf()).toEqual({ "node-1": "agent:1", "node-2": "agent:1", "node-3": "agent:1" });
  expect(await revisionsOf()).toEqual([2, 3]);
  const after = new Map((await podsOf()).map(({ spec, metadata }) => [spec?.nodeName, metadata.uid]));
  expect(three.map((name) => before.get(name) === after.get(name))).toEqual([false, true, true]);
});

test("with maxSurge no node is without an available Pod at any time", async () => {
  await start({
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
  });
  await setImage("agent:2");
  let most = 0;
  for (let second = 0; second < 120; second++) {
    await cluster.clock.advance(1000);
    const all = await podsOf();
    const available = all.filter(
      (pod) =>
        !isBeingDeleted(pod) &&
        pod.status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True"),
    );
    expect(new Set(available.map(({ spec }) => spec?.nodeName)).size).toBe(3);
    most = Math.max(most, all.filter((pod) => !isBeingDeleted(pod)).length);
  }
  expect(most).toBe(4);
  expect(await imagesOf()).toEqual({ "node-1": "agent:2", "node-2": "agent:2", "node-3": "agent:2" });
});

test("under OnDelete a new template waits for users to delete Pods", async () => {
  await start({ updateStrategy: { type: "OnDelete" } });
  await setImage("agent:2");
  await cluster.clock.advance(60_000);
  expect(await revisionsOf()).toEqual([1, 2]);
  expect(await imagesOf()).toEqual({ "node-1": "agent:1", "node-2": "agent:1", "node-3": "agent:1" });
  const pod = (await podsOf()).find(({ spec }) => spec?.nodeName === "node-2");
  await cluster.client.delete(pods, pod?.metadata ?? { name: "" });
  await cluster.clock.advance(60_000);
  expect(await imagesOf()).toEqual({ "node-1": "agent:1", "node-2": "agent:2", "node-3": "agent:1" });
  expect(await statusOf()).toMatchObject({ updatedNumberScheduled: 1 });
});

test("failed Pods are replaced ever more slowly", async () => {
  cluster = await testCluster({ nodes: 1, components: ["daemonset", "scheduler", "service-account"] });
  await create();
  const fail = async () => {
    await cluster.clock.advance(100);
    const [pod] = await podsOf();
    const status = { ...pod?.status, phase: "Failed" };
    if (pod !== undefined) await cluster.client.update(pods, { ...pod, status }, { subresource: "status" });
    return pod?.metadata.uid;
  };
  const isReplacedWithin = async (uid: string | undefined, ms: number) => {
    await cluster.clock.advance(ms);
    return (await podsOf()).every(({ metadata }) => metadata.uid !== uid);
  };
  expect(await isReplacedWithin(await fail(), 100)).toBe(true);
  const second = await fail();
  expect(await isReplacedWithin(second, 500)).toBe(false);
  expect(await isReplacedWithin(second, 500)).toBe(true);
  const third = await fail();
  expect(await isReplacedWithin(third, 1500)).toBe(false);
  expect(await isReplacedWithin(third, 500)).toBe(true);
  const fourth = await fail();
  await setImage("agent:2");
  // As an earlier revision that is not available, before the new generation ends its backoff.
  expect(await isReplacedWithin(fourth, 100)).toBe(true);
  expect(await messagesOf("FailedDaemonPod")).toHaveLength(3);
});

/** Refuses to create Pods while it is told to. */
function refusing(): { readonly interceptor: Interceptor; isRefusing: boolean; tried: number } {
  const refusal = {
    isRefusing: true,
    tried: 0,
    interceptor: {
      call: async (call, send) => {
        if (call.verb !== "create" || call.collection !== "pods") return send();
        refusal.tried++;
        if (refusal.isRefusing) throw apiFailure(403, "Forbidden", "no Pods today");
        return send();
      },
    } satisfies Interceptor,
  };
  return refusal;
}

test("after a refusal no more Pods are tried, and all are created later", async () => {
  const refusal = refusing();
  await start(
    {},
    {
      nodes: 40,
      observed: ["daemonset"],
      faults: [refusal.interceptor],
      components: ["scheduler", "service-account"],
    },
  );
  expect(await podsOf()).toEqual([]);
  expect(refusal.tried).toBeLessThan(20);
  expect(await messagesOf("FailedCreate")).toContain("Error creating: no Pods today");
  expect(await statusOf()).toMatchObject({ desiredNumberScheduled: 40, numberUnavailable: 40 });
  refusal.isRefusing = false;
  await cluster.clock.advance(60_000);
  expect(await podsOf()).toHaveLength(40);
});

test("a DaemonSet on more than 250 nodes gets its Pods in several syncs", async () => {
  await start({}, { nodes: 600, components: ["daemonset", "service-account"] });
  expect(await podsOf()).toHaveLength(600);
});

test("a matching Pod without an owner that is pinned to a node is adopted", async () => {
  cluster = await testCluster();
  const { client, clock } = cluster;
  const spec = { nodeName: "node-1", containers: [{ name: "agent", image: "agent:1" }] };
  await client.create(pods, { metadata: { ...at("orphan"), labels }, spec });
  await clock.advance(1000);
  await create({ updateStrategy: { type: "OnDelete" } });
  await clock.advance(10_000);
  expect(await nodesOf()).toEqual(three);
  const orphan = await client.get(pods, at("orphan"));
  expect(orphan.metadata.ownerReferences).toMatchObject([
    { kind: "DaemonSet", name: "agent", controller: true },
  ]);
});

test("of two revisions with the template the higher is kept, with the Pods of both", async () => {
  await start();
  const [first] = (await cluster.client.list(controllerRevisions, {})).items;
  const { name = "", ownerReferences = [] } = first?.metadata ?? {};
  await cluster.client.create(controllerRevisions, {
    metadata: { ...at(`${name}x`), ownerReferences, labels: { ...labels, "controller-revision-hash": "x" } },
    data: first?.data,
    revision: 7,
  });
  await cluster.clock.advance(10_000);
  expect(await revisionsOf()).toEqual([7]);
  expect((await podsOf()).map(({ metadata }) => metadata.labels?.["controller-revision-hash"])).toEqual([
    "x",
    "x",
    "x",
  ]);
});

test("a revision whose name another template has gets another name", async () => {
  await start();
  const [first] = (await cluster.client.list(controllerRevisions, {})).items;
  const { metadata } = first ?? { metadata: { name: "" } };
  await cluster.client.delete(daemonSets, at("agent"), { propagationPolicy: "Background" });
  await cluster.clock.advance(60_000);
  await cluster.client.create(controllerRevisions, {
    metadata: at(metadata.name),
    data: { spec: {} },
    revision: 1,
  });
  await create();
  await cluster.clock.advance(10_000);
  expect(await statusOf()).toMatchObject({ collisionCount: 1, numberReady: 3 });
});

test("revisions beyond the limit are deleted", async () => {
  await start({ revisionHistoryLimit: 1 });
  for (const image of ["agent:2", "agent:3", "agent:4"]) {
    await setImage(image);
    await cluster.clock.advance(200_000);
  }
  expect(await revisionsOf()).toEqual([3, 4]);
});

test("a controller that has not heard that its DaemonSet is gone does not create its Pods again and again", async () => {
  let hears = true;
  let creations = 0;
  const unheard: Interceptor = {
    async *watch({ collection }, { open }) {
      for await (const event of open()) if (hears || collection !== "daemonsets.apps") yield event;
    },
    call: async ({ verb, collection }, send) => {
      if (verb === "create" && collection !== "events") creations++;
      return send();
    },
  };
  await start({}, { observed: ["daemonset"], faults: [unheard] });
  hears = false;
  const before = creations;
  await cluster.client.delete(daemonSets, at("agent"), { propagationPolicy: "Background" });
  await cluster.clock.advance(60_000);
  expect(await podsOf()).toEqual([]);
  expect(creations - before).toBeLessThan(10);
});

test("a DaemonSet and its Pods are deleted together, and nothing is created meanwhile", async () => {
  await start();
  await cluster.client.delete(daemonSets, at("agent"), { propagationPolicy: "Foreground" });
  await cluster.clock.advance(60_000);
  expect(await podsOf()).toEqual([]);
  expect(await revisionsOf()).toEqual([]);
});
