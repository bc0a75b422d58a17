// What chaos has found, each as the shortest test that shows it.
import { expect, onTestFinished, test } from "vitest";
import { isConditionTrue } from "../api/conditions.ts";
import { compileLabelMap } from "../api/labels/compile-label-selector.ts";
import { isReady } from "../api/pod-state.ts";
import { nodes, pods, replicaSets } from "../api/resources.ts";
import { simulatedNode } from "../cluster/kubelet/nodes/simulated-node.ts";
import { claimObjects } from "../machinery/ownership/claim-objects.ts";
import { isNotFound } from "../machinery/client/api-error.ts";
import { conflictFailure, connectionReset } from "./faults/failures.ts";
import { interceptClient, type Interceptor } from "../machinery/client/intercept-client.ts";
import { startSimulatedCluster, type SimulatedCluster } from "./simulated-cluster.ts";

/** A cluster in which one component reaches the API through an interceptor. */
async function startWith(component: string, interceptor: Interceptor): Promise<SimulatedCluster> {
  const cluster = await startSimulatedCluster({
    seed: "findings",
    nodes: 2,
    componentOverrides: (name, shared) =>
      name === component ? { ...shared, client: interceptClient(shared.client, interceptor) } : shared,
  });
  onTestFinished(() => cluster.stop());
  return cluster;
}

const solo = {
  metadata: { namespace: "default", name: "solo" },
  spec: { containers: [{ name: "c", image: "solo" }] },
};

const web = { namespace: "default", name: "web" };
const labels = { app: "web" };
const replicaSetOf = (replicas: number) => ({
  metadata: web,
  spec: {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "web" }] } },
  },
});

test("a kubelet takes a conflict for what it is, not for the end of its Pod", async () => {
  let refusals = 0;
  const cluster = await startWith("kubelet", {
    async call(call, send) {
      if (call.collection === "pods" && ++refusals % 3 !== 0) throw conflictFailure(call);
      return send();
    },
  });
  await cluster.client.create(pods, solo);
  await cluster.advance(60_000);
  expect(isReady(await cluster.client.get(pods, solo.metadata))).toBe(true);
  await cluster.client.delete(pods, solo.metadata);
  await cluster.advance(120_000);
  await expect(cluster.client.get(pods, solo.metadata)).rejects.toSatisfy(isNotFound);
  expect(refusals).toBeGreaterThan(6);
});

test("two kubelets agree on the address of a Pod, and one of them is enough to end it", async () => {
  const refused: unknown[] = [];
  const cluster = await startWith("kubelet", {
    call: (_call, send) =>
      send().catch((error: unknown) => {
        refused.push(error);
        throw error;
      }),
  });
  const placed = { ...solo, spec: { ...solo.spec, nodeName: "node-1" } };
  await cluster.client.create(pods, placed);
  await cluster.advance(5000);
  await cluster.client.delete(pods, solo.metadata);
  await cluster.advance(5000);
  // The second begins to count where the first began.
  cluster.startComponent("kubelet");
  await cluster.client.create(pods, placed);
  await cluster.advance(5000);
  const { podIP = "none", podIPs } = (await cluster.client.get(pods, solo.metadata)).status ?? {};
  expect(podIPs).toEqual([{ ip: podIP }]);
  expect(refused).toEqual([]); // as another address would be
  await cluster.components.find(({ name }) => name === "kubelet")?.stop();
  await cluster.client.delete(pods, solo.metadata);
  await cluster.advance(60_000);
  await expect(cluster.client.get(pods, solo.metadata)).rejects.toSatisfy(isNotFound);
});

/** A cluster whose ReplicaSet controller hears late of some Pods, and what it deletes. */
async function startLate() {
  const lateMs = new Map<string, number>();
  const deletions: string[] = [];
  const cluster = await startWith("replicaset", {
    call(call, send) {
      if (call.verb === "delete") deletions.push(call.name ?? "");
      return send();
    },
    async *watch(_call, { open }) {
      for await (const event of open()) {
        const name = event.type === "BOOKMARK" ? "" : event.object.metadata.name;
        if (lateMs.has(name)) await cluster.clock.sleep(lateMs.get(name) ?? 0);
        yield event;
      }
    },
  });
  return { cluster, lateMs, deletions };
}

const cost = (value: string) => ({
  type: "merge" as const,
  body: { metadata: { annotations: { "controller.kubernetes.io/pod-deletion-cost": value } } },
});

test("a Pod that is gone already is not replaced by another victim before its going is seen", async () => {
  const { cluster, lateMs, deletions } = await startLate();
  await cluster.client.create(replicaSets, replicaSetOf(4));
  await cluster.advance(10_000);
  const [first, second] = (await cluster.client.list(pods, {})).items.map(({ metadata }) => metadata);
  if (first === undefined || second === undefined) throw new Error("no Pods");
  await cluster.client.patch(pods, first, cost("-1"));
  await cluster.advance(1000);
  lateMs.set(second.name, 1000);
  lateMs.set(first.name, 30_000);
  await cluster.client.patch(pods, second, cost("-2"));
  await cluster.client.delete(pods, first, { gracePeriodSeconds: 0 });
  await cluster.client.patch(replicaSets, web, { type: "merge", body: { spec: { replicas: 3 } } });
  await cluster.advance(120_000);
  expect(deletions).toEqual([first.name]);
  expect((await cluster.client.list(pods, {})).items).toHaveLength(3);
});

test("a ReplicaSet that has not seen its Pods terminate reports on no newer size", async () => {
  const { cluster, lateMs } = await startLate();
  const scaleTo = (replicas: number) =>
    cluster.client.patch(replicaSets, web, { type: "merge", body: { spec: { replicas } } });
  const reported = async () => (await cluster.client.get(replicaSets, web)).status;
  const annotations = { "sim.trimtab.dev/terminationDelay": "25s" };
  const wanted = replicaSetOf(4);
  await cluster.client.create(replicaSets, {
    ...wanted,
    spec: { ...wanted.spec, template: { ...wanted.spec.template, metadata: { labels, annotations } } },
  });
  await cluster.advance(10_000);
  for (const { metadata } of (await cluster.client.list(pods, {})).items) lateMs.set(metadata.name, 10_000);
  await scaleTo(2);
  await cluster.advance(1000);
  await scaleTo(5);
  await cluster.advance(1000);
  // Had it observed generation 3, a Deployment would count 5 Pods and none that terminates, and there will be 7.
  expect(await reported()).toMatchObject({ observedGeneration: 2, replicas: 4, terminatingReplicas: 0 });
  lateMs.clear();
  await cluster.advance(15_000);
  expect(await reported()).toMatchObject({ observedGeneration: 3, replicas: 5, terminatingReplicas: 2 });
});

test("an orphan that turns out to be ending when it is adopted takes the place of no other Pod", async () => {
  const { cluster, lateMs, deletions } = await startLate();
  await cluster.client.create(replicaSets, replicaSetOf(1));
  await cluster.advance(10_000);
  const [own] = (await cluster.client.list(pods, {})).items;
  if (own === undefined) throw new Error("no Pod");
  await cluster.client.patch(pods, own.metadata, cost("-1"));
  lateMs.set("solo", 3000);
  const annotations = { "sim.trimtab.dev/terminationDelay": "20s" };
  await cluster.client.create(pods, { ...solo, metadata: { ...solo.metadata, labels, annotations } });
  await cluster.advance(2000);
  await cluster.client.delete(pods, solo.metadata);
  await cluster.advance(120_000);
  expect(deletions).toEqual([]);
});

test("Pods are not made again and again for a ReplicaSet that is gone and still seen", async () => {
  let created = 0;
  let isLate = false;
  const cluster = await startWith("replicaset", {
    call(call, send) {
      if (call.verb === "create" && call.collection === "pods") created++;
      return send();
    },
    async *watch({ collection }, { open }) {
      for await (const event of open()) {
        if (isLate && collection === "replicasets.apps") await cluster.clock.sleep(60_000);
        yield event;
      }
    },
  });
  await cluster.client.create(replicaSets, replicaSetOf(3));
  await cluster.advance(30_000);
  isLate = true;
  await cluster.client.delete(replicaSets, web);
  await cluster.advance(300_000);
  expect(created).toBeLessThan(12);
  expect((await cluster.client.list(pods, {})).items).toEqual([]);
});

test("two controllers that see different things do not write over each other for ever", async () => {
  let lateMs = 0;
  let writes = 0;
  const cluster = await startSimulatedCluster({
    seed: "findings",
    nodes: 2,
    committed: (collection) => (collection === "replicasets.apps" ? writes++ : undefined),
    componentOverrides: (_name, shared) => {
      const delayMs = lateMs;
      return {
        ...shared,
        client: interceptClient(shared.client, {
          async *watch({ collection }, { open }) {
            for await (const event of open()) {
              if (delayMs > 0 && collection === "pods") await shared.clock.sleep(delayMs);
              yield event;
            }
          },
        }),
      };
    },
  });
  onTestFinished(() => cluster.stop());
  await cluster.client.create(replicaSets, replicaSetOf(3));
  await cluster.advance(10_000);
  lateMs = 20_000;
  cluster.startComponent("replicaset");
  await cluster.advance(10_000);
  await cluster.client.patch(replicaSets, web, { type: "merge", body: { spec: { replicas: 5 } } });
  await cluster.advance(120_000);
  expect(writes).toBeLessThan(100);
});

test("a garbage collector that gets a conflict reads the object again", async () => {
  let refusals = 0;
  const cluster = await startWith("garbage-collector", {
    async call(call, send) {
      if (call.verb === "delete" && ++refusals % 2 === 1) throw conflictFailure(call);
      return send();
    },
  });
  await cluster.client.create(replicaSets, replicaSetOf(2));
  await cluster.advance(10_000);
  await cluster.client.delete(replicaSets, web);
  await cluster.advance(60_000);
  expect((await cluster.client.list(pods, {})).items).toEqual([]);
  expect(refusals).toBeGreaterThan(2);
});

test("a ReplicaSet means the Pod it has chosen, not the next one of that name", async () => {
  const { cluster, lateMs } = await startLate();
  await cluster.client.create(replicaSets, replicaSetOf(2));
  await cluster.client.create(pods, { ...solo, metadata: { ...solo.metadata, labels } });
  await cluster.advance(10_000);
  lateMs.set("solo", 30_000);
  await cluster.client.delete(pods, solo.metadata, { gracePeriodSeconds: 0 });
  await cluster.client.create(pods, solo);
  await cluster.client.patch(replicaSets, web, { type: "merge", body: { spec: { replicas: 0 } } });
  await cluster.advance(120_000);
  expect((await cluster.client.list(pods, {})).items.map(({ metadata }) => metadata.name)).toEqual(["solo"]);
});

test("a controller waits until it has seen what it let go", async () => {
  const cluster = await startWith("replicaset", {});
  const owner = await cluster.client.create(replicaSets, replicaSetOf(0));
  const { uid } = owner.metadata;
  const reference = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid, controller: true };
  const stray = await cluster.client.create(pods, {
    ...solo,
    metadata: { ...solo.metadata, ownerReferences: [reference] },
  });
  const written: string[] = [];
  const selection = compileLabelMap(labels);
  const claimed = await claimObjects([stray], {
    owner,
    ownerResource: replicaSets,
    resource: pods,
    selection,
    client: cluster.client,
    wrote: (_resource, { metadata }) => written.push(metadata.resourceVersion),
    signal: new AbortController().signal,
  });
  expect(claimed).toEqual([]);
  expect((await cluster.client.get(pods, solo.metadata)).metadata.ownerReferences).toBeUndefined();
  expect(written).toHaveLength(1);
});

test("a kubelet plays a Pod that it saw before the node the Pod is on", async () => {
  const cluster = await startWith("kubelet", {
    async *watch({ collection }, { open }) {
      for await (const event of open()) {
        const isNew = event.type !== "BOOKMARK" && event.object.metadata.name === "node-3";
        if (collection === "nodes" && isNew) await cluster.clock.sleep(5000);
        yield event;
      }
    },
  });
  await cluster.client.create(nodes, simulatedNode({ index: 2, zones: 1 }, cluster.clock.now()));
  await cluster.client.create(pods, { ...solo, spec: { ...solo.spec, nodeName: "node-3" } });
  await cluster.advance(10_000);
  expect(isReady(await cluster.client.get(pods, solo.metadata))).toBe(true);
});

test("a Pod that runs has a node, whatever a scheduler says that never heard so", async () => {
  const cluster = await startWith("scheduler", {
    async call(call, send) {
      const answer = await send();
      if (call.verb === "bind") throw connectionReset();
      return answer;
    },
    async *watch({ collection }, { open }) {
      for await (const event of open()) {
        yield event;
        if (collection === "pods") await cluster.clock.sleep(2000);
      }
    },
  });
  await cluster.client.create(pods, solo);
  await cluster.advance(30_000);
  const { status } = await cluster.client.get(pods, solo.metadata);
  expect(isConditionTrue(status?.conditions, "PodScheduled")).toBe(true);
});

test("a Pod that goes while another one is adopted is not waited for", async () => {
  const cluster = await startWith("replicaset", {
    async call(call, send) {
      if (call.verb === "patch" && call.collection === "pods") {
        for (const { metadata } of (await cluster.client.list(pods, {})).items)
          if (metadata.name !== "solo")
            await cluster.client.delete(pods, metadata, { gracePeriodSeconds: 0 });
        await cluster.clock.sleep(1000);
      }
      return send();
    },
  });
  await cluster.client.create(replicaSets, replicaSetOf(3));
  await cluster.advance(5000);
  const annotations = { "controller.kubernetes.io/pod-deletion-cost": "100" };
  await cluster.client.create(pods, { ...solo, metadata: { ...solo.metadata, labels, annotations } });
  await cluster.advance(10_000);
  expect((await cluster.client.list(pods, {})).items).toHaveLength(3);
});
