import { expect, test } from "vitest";
import { findCondition } from "../../api/conditions.ts";
import type { Node } from "../../api/generated/core-v1.ts";
import { events, nodes } from "../../api/resources.ts";
import { testCluster } from "../../testing/test-cluster.ts";

interface Told {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
}

/** What becomes of a node that is told something, as `second Ready reason`. */
async function tell(metadata: Told, seconds = 60): Promise<readonly string[]> {
  const { client, clock, store, stop } = await testCluster({ nodes: 2, components: ["kubelet"] });
  await clock.advance(1000);
  const begun = clock.now();
  const told: string[] = [];
  store.collection("nodes").subscribe({ of: "all" }, (changes) => {
    for (const { type, record } of changes) {
      const { status } = record.object as unknown as Node;
      const ready = findCondition(status?.conditions, "Ready");
      const state = type === "DELETED" ? "gone" : `${ready?.status} ${ready?.reason}`;
      if (told.at(-1)?.endsWith(` ${state}`) !== true) told.push(`${(clock.now() - begun) / 1000} ${state}`);
    }
  });
  await client.patch(nodes, { name: "node-1" }, { type: "merge", body: { metadata: { ...metadata } } });
  await clock.advance(seconds * 1000);
  await stop();
  return told;
}

const sim = (name: string, value: string) => ({ annotations: { [`sim.trimtab.dev/${name}`]: value } });

test.for<{ name: string; told: Told; want: readonly string[] }>([
  {
    name: "not ready says so",
    told: sim("notReady", "true"),
    want: ["0 True KubeletReady", "0 False KubeletNotReady"],
  },
  {
    name: "to flap does",
    told: sim("flap", "25s"),
    want: ["0 True KubeletReady", "25 False KubeletNotReady", "50 True KubeletReady"],
  },
  {
    name: "to shut down is not ready",
    told: sim("shutdown", "true"),
    want: ["0 True KubeletReady", "0 False KubeletNotReady"],
  },
  {
    name: "to flap too fast does not",
    told: sim("flap", "1ms"),
    want: ["0 True KubeletReady"],
  },
  { name: "to go is deleted", told: sim("delete", "10s"), want: ["0 True KubeletReady", "10 gone"] },
  { name: "to be silent says nothing", told: sim("unreachable", "true"), want: ["0 True KubeletReady"] },
  {
    name: "by a mark of KWOK not to be ready is not",
    told: {
      labels: { "node-not-ready.stage.kwok.x-k8s.io": "true" },
      annotations: { "node-not-ready.stage.kwok.x-k8s.io/reason": "diskFailed" },
    },
    want: ["0 True KubeletReady", "0 False diskFailed"],
  },
])("a node that is told $name", async ({ told, want }) => {
  expect(await tell(told)).toEqual(want);
});

test("a node that is no longer told to be not ready is ready, whatever the reason was", async () => {
  const { client, clock, stop } = await testCluster({ nodes: 1, components: ["kubelet"] });
  const mark = (value: string | null) =>
    client.patch(
      nodes,
      { name: "node-1" },
      { type: "merge", body: { metadata: { labels: { "node-not-ready.stage.kwok.x-k8s.io": value } } } },
    );
  const ready = async () =>
    findCondition((await client.get(nodes, { name: "node-1" })).status?.conditions, "Ready")?.status;
  await mark("true");
  await clock.advance(1000);
  expect(await ready()).toBe("False");
  await mark(null);
  await clock.advance(1000);
  expect(await ready()).toBe("True");
  await stop();
});

test("a report of a node that is lost is made again", async () => {
  const { client, clock, observed, stop } = await testCluster({
    nodes: 1,
    components: [],
    observed: ["kubelet"],
  });
  const mark = (value: string | null) =>
    client.patch(
      nodes,
      { name: "node-1" },
      { type: "merge", body: { metadata: { labels: { "node-not-ready.stage.kwok.x-k8s.io": value } } } },
    );
  await mark("true");
  await clock.advance(1000);
  const recover = observed.failRequests(({ verb }) => (verb === "patch" ? new Error("lost") : undefined));
  await mark(null);
  await clock.advance(1000);
  recover();
  await clock.advance(60_000);
  const { status } = await client.get(nodes, { name: "node-1" });
  expect(findCondition(status?.conditions, "Ready")?.status).toBe("True");
  await stop();
});

test("what another client says of a node stays", async () => {
  const { client, clock, stop } = await testCluster({ nodes: 1, components: ["kubelet"] });
  const conditions = [{ type: "Ready", status: "False", reason: "Pulled", message: "the plug" }];
  await client.patch(
    nodes,
    { name: "node-1" },
    { type: "strategic", body: { status: { conditions } }, subresource: "status" },
  );
  await clock.advance(60_000);
  const { status } = await client.get(nodes, { name: "node-1" });
  expect(findCondition(status?.conditions, "Ready")).toMatchObject({ status: "False", reason: "Pulled" });
  await stop();
});

test("a node that has only a name is registered, and keeps what it says of itself", async () => {
  const { client, clock, stop } = await testCluster({ nodes: 0, components: ["kubelet"] });
  const labels = { "sim.trimtab.dev/node": "true" };
  const allocatable = { cpu: "2", memory: "4Gi", pods: "5" };
  await client.create(nodes, { metadata: { name: "bare", labels }, spec: {} });
  await client.create(nodes, { metadata: { name: "small", labels }, spec: {}, status: { allocatable } });
  await clock.advance(1000);
  const { status: bare } = await client.get(nodes, { name: "bare" });
  expect(bare).toMatchObject({
    allocatable: { pods: "110" },
    addresses: [{ address: expect.stringMatching(/^127\./) as string }, { address: "bare" }],
  });
  expect(findCondition(bare?.conditions, "Ready")?.status).toBe("True");
  expect((await client.get(nodes, { name: "small" })).status).toMatchObject({ allocatable });
  await stop();
});

test("all mistakes of a node are one event", async () => {
  const { client, clock, stop } = await testCluster({ nodes: 1, components: ["kubelet"] });
  const annotations = { "sim.trimtab.dev/slow": "very", "sim.trimtab.dev/broken": "true" };
  await client.patch(nodes, { name: "node-1" }, { type: "merge", body: { metadata: { annotations } } });
  await clock.advance(60_000);
  const told = (await client.list(events, {})).items.filter(({ reason }) => reason === "InvalidSimulation");
  expect(told).toHaveLength(1);
  expect(told[0]?.message).toMatch(
    /slow must be a factor.*; .*broken is not known|broken is not known.*; .*slow must be/,
  );
  await stop();
});
