import { expect, onTestFinished, test } from "vitest";
import { configMaps, deployments, nodes, podDisruptionBudgets, pods } from "../api/resources.ts";
import { restartedAtAnnotation, zoneLabel } from "../api/well-known.ts";
import { interceptClient } from "../machinery/client/intercept-client.ts";
import { podTemplate } from "../testing/deployment.ts";
import { testCluster } from "../testing/test-cluster.ts";
import { finishDrain } from "./drain-nodes.ts";
import { performAction } from "./perform-action.ts";
import type { UserAction } from "./user-action.ts";

const web = { kind: "Deployment", namespace: "default", name: "web" } as const;
const labels = { app: "web" };

/** Two nodes in two zones with four Pods of the Deployment web. */
async function cluster() {
  const made = await testCluster({ nodes: 2, zones: 2 });
  onTestFinished(() => made.stop());
  const { client, clock } = made;
  const spec = { replicas: 4, selector: { matchLabels: labels }, template: podTemplate() };
  await client.create(deployments, { metadata: { name: "web", namespace: "default" }, spec });
  await clock.advance(30_000);
  return {
    ...made,
    perform: (action: UserAction) => performAction(action, { client, clock }),
    podsOn: async (node: string) =>
      (await client.list(pods, { fieldSelector: `spec.nodeName=${node}` })).items,
    node: (name: string) => client.get(nodes, { name }),
  };
}

test("scaling changes the number of replicas, as kubectl scale does", async () => {
  const { perform, client } = await cluster();
  expect(await perform({ action: "scale", ...web, replicas: 1 })).toEqual({
    done: ["deployment.apps/web scaled"],
    refused: [],
  });
  expect((await client.get(deployments, web)).spec.replicas).toBe(1);
});

test("restarting a rollout makes a new revision", async () => {
  const { perform, client, clock } = await cluster();
  await perform({ action: "restart", ...web });
  const { metadata, spec } = await client.get(deployments, web);
  expect(metadata.generation).toBe(2);
  expect(spec.template.metadata?.annotations).toHaveProperty([restartedAtAnnotation]);
  await clock.advance(60_000);
  expect((await client.get(deployments, web)).status?.updatedReplicas).toBe(4);
});

test("draining cordons the node and evicts its Pods, but for those that a budget keeps", async () => {
  const { perform, client, clock, node, podsOn } = await cluster();
  await client.create(podDisruptionBudgets, {
    metadata: { name: "web", namespace: "default" },
    spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
  });
  await clock.advance(1000);
  const [first, second] = (await podsOn("node-1")).map(({ metadata }) => metadata.name);
  const answer = await perform({ action: "drain", node: "node-1" });
  expect(answer.done).toEqual(["node/node-1 cordoned", `pod/${first} evicted`]);
  expect(answer.refused).toEqual([
    {
      object: `pod/${second} -n default`,
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      code: 429,
      cause: "The disruption budget web needs 3 healthy pods and has 3 currently",
      uid: expect.any(String) as string,
    },
  ]);
  expect((await node("node-1")).spec?.unschedulable).toBe(true);
  await clock.advance(60_000);
  expect((await perform({ action: "drain", node: "node-1" })).refused).toEqual([]);
  await perform({ action: "uncordon", node: "node-1" });
  expect((await node("node-1")).spec?.unschedulable ?? false).toBe(false);
});

test("a drain that is finished evicts every Pod as soon as the budget allows it", async () => {
  const { perform, client, clock, podsOn } = await cluster();
  await client.create(podDisruptionBudgets, {
    metadata: { name: "web", namespace: "default" },
    spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
  });
  await clock.advance(1000);
  const started = await perform({ action: "drain", node: "node-1" });
  const { signal } = new AbortController();
  const finished = finishDrain(["node-1"], started, { client, clock, signal });
  await clock.advance(60_000);
  expect(await finished).toEqual({
    done: [expect.stringMatching(/^pod\/web-.* evicted$/) as string],
    refused: [],
  });
  expect(await podsOn("node-1")).toEqual([]);
});

test("a drain that is given up says what was refused at last", async () => {
  const { perform, client, clock, podsOn } = await cluster();
  await client.create(podDisruptionBudgets, {
    metadata: { name: "web", namespace: "default" },
    spec: { minAvailable: 4, selector: { matchLabels: labels } },
  });
  await clock.advance(1000);
  const started = await perform({ action: "drain", node: "node-1" });
  const giveUp = new AbortController();
  const finished = finishDrain(["node-1"], started, { client, clock, signal: giveUp.signal });
  await clock.advance(60_000);
  giveUp.abort();
  expect((await finished).refused).toEqual(started.refused);
  expect(await podsOn("node-1")).toHaveLength(2);
});

test("a drain leaves the Pods of DaemonSets and static Pods, and evicts Pods without a controller", async () => {
  const { perform, client, podsOn, node } = await cluster();
  const spec = { nodeName: "node-1", containers: [{ name: "a", image: "a" }] };
  const { uid } = (await node("node-1")).metadata;
  const owner = (kind: string) => ({ apiVersion: "v1", kind, name: "node-1", uid, controller: true });
  const create = (name: string, ...ownerReferences: readonly ReturnType<typeof owner>[]) =>
    client.create(pods, { metadata: { name, namespace: "default", ownerReferences }, spec });
  await create("agent", owner("DaemonSet"));
  await create("static", owner("Node"));
  await create("solo");
  const { done } = await perform({ action: "drain", node: "node-1" });
  expect(done).toContain("pod/solo evicted");
  const left = (await podsOn("node-1")).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  expect(left.map(({ metadata }) => metadata.name)).toEqual(["agent", "static"]);
});

test("a Pod that is gone before it is evicted is no refusal", async () => {
  const { client, clock, podsOn } = await cluster();
  const [first] = await podsOn("node-1");
  const gone = { namespace: "default", name: first?.metadata.name ?? "" };
  const late = interceptClient(client, {
    async call(call, send) {
      if (call.verb === "evict" && call.name === gone.name)
        await client.delete(pods, gone, { gracePeriodSeconds: 0 });
      return send();
    },
  });
  const { done, refused } = await performAction({ action: "drain", node: "node-1" }, { client: late, clock });
  expect(refused).toEqual([]);
  expect(done).not.toContain(`pod/${gone.name} evicted`);
});

test("a rollout is paused, resumed, and rolled back to the template before", async () => {
  const { perform, client, clock } = await cluster();
  const image = async () =>
    (await client.get(deployments, web)).spec.template.spec?.containers[0]?.image ?? "";
  const before = await image();
  await expect(perform({ action: "undo", ...web })).rejects.toThrow(/no earlier revision/);
  await perform({ action: "set-image", ...web, image: "web:2" });
  expect(await image()).toBe("web:2");
  await clock.advance(60_000);
  await perform({ action: "pause", ...web });
  await expect(perform({ action: "undo", ...web })).rejects.toThrow(/paused/);
  await perform({ action: "resume", ...web });
  expect((await perform({ action: "undo", ...web })).done).toEqual(["deployment.apps/web rolled back"]);
  expect(await image()).toBe(before);
  await clock.advance(60_000);
  await perform({ action: "undo", ...web, toRevision: 2 });
  expect(await image()).toBe("web:2");
  await expect(perform({ action: "undo", ...web, toRevision: 9 })).rejects.toThrow(/no revision 9/);
});

test("objects are created, changed, labelled, annotated, patched, evicted and deleted", async () => {
  const { perform, client } = await cluster();
  const manifest = (data: string) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", namespace: "default", labels: { old: "1" } },
    data: { key: data },
  });
  const a = { kind: "ConfigMap", namespace: "default", name: "a" };
  const actions: readonly UserAction[] = [
    { action: "apply", manifest: manifest("1") },
    { action: "apply", manifest: manifest("2") },
    { action: "label", ...a, labels: { app: "web", old: null } },
    { action: "annotate", ...a, annotations: { note: "x" } },
    { action: "patch", ...a, patch: { type: "merge", body: { data: { more: "3" } } } },
  ];
  const done: string[] = [];
  for (const action of actions) done.push(...(await perform(action)).done);
  expect(done).toEqual(
    ["created", "configured", "labeled", "annotated", "patched"].map((how) => `configmap/a ${how}`),
  );
  expect(await client.get(configMaps, a)).toMatchObject({
    metadata: { labels: { app: "web" }, annotations: { note: "x" } },
    data: { key: "2", more: "3" },
  });
  await expect(perform({ action: "create", manifest: manifest("3") })).rejects.toThrow(/already exists/);
  await perform({ action: "delete", ...a });
  await expect(client.get(configMaps, a)).rejects.toThrow(/not found/);
  const [pod] = (await client.list(pods, {})).items;
  const { name = "" } = pod?.metadata ?? {};
  expect((await perform({ action: "evict", namespace: "default", name })).done).toEqual([
    `pod/${name} evicted`,
  ]);
});

test("a zone fails with all of its nodes, and no other, until it is restored", async () => {
  const { perform, clock, node } = await cluster();
  const isReady = async (name: string) =>
    (await node(name)).status?.conditions?.find(({ type }) => type === "Ready")?.status;
  const zone = (await node("node-1")).metadata.labels?.[zoneLabel] ?? "";
  expect((await perform({ action: "fail", zone })).done).toEqual(["node/node-1 annotated"]);
  await clock.advance(60_000);
  expect([await isReady("node-1"), await isReady("node-2")]).toEqual(["Unknown", "True"]);
  await perform({ action: "restore", zone });
  await clock.advance(60_000);
  expect(await isReady("node-1")).toBe("True");
  await perform({ action: "fail", node: "node-2" });
  await clock.advance(60_000);
  expect([await isReady("node-1"), await isReady("node-2")]).toEqual(["True", "Unknown"]);
});

test("what does not exist is not found", async () => {
  const { perform } = await cluster();
  const actions: readonly UserAction[] = [
    { action: "scale", ...web, name: "other", replicas: 1 },
    { action: "restart", ...web, name: "other" },
    { action: "cordon", node: "node-9" },
    { action: "drain", node: "node-9" },
    { action: "fail", node: "node-9" },
    { action: "delete", ...web, name: "other" },
    { action: "undo", ...web, name: "other" },
  ];
  for (const action of actions) await expect(perform(action)).rejects.toThrow(/ "(other|node-9)" not found/);
  await expect(perform({ action: "cordon", zone: "moon" })).rejects.toThrow('zone "moon" has no nodes');
  await expect(perform({ action: "delete", kind: "Moon", name: "a" })).rejects.toThrow(
    'there is no kind "Moon"',
  );
});
