import { expect, test } from "vitest";
import { isBeingDeleted } from "../../src/api/object.ts";
import { controllerRevisions, daemonSets, events, nodes, pods } from "../../src/api/resources.ts";
import {
  createDaemon,
  patchDaemon,
  placesOf,
  readyNames,
  set,
  type SetSituation,
  setTemplate,
  startSets,
} from "./set-situation.ts";

// What the end-to-end tests of Kubernetes do to DaemonSets, in virtual time and in our own words.

const image = (name: string) => ({ template: { spec: { containers: [{ name: "web", image: name }] } } });
const everywhere = (name: string) => ["node-1", "node-2", "node-3"].map((node) => `${node} ${name}`);
const uids = async (cluster: SetSituation) =>
  (await cluster.pods()).map(({ metadata }) => metadata.uid).toSorted();

const colour = ({ client }: SetSituation, node: string, value: string | null) =>
  client.patch(nodes, { name: node }, { type: "merge", body: { metadata: { labels: { colour: value } } } });

test("a Pod that is deleted comes back on its node", async () => {
  const cluster = await startSets();
  await createDaemon(cluster);
  await cluster.seconds(10);
  const [first] = await cluster.pods();
  await cluster.deletePod(first?.metadata.name ?? "");
  await cluster.seconds(20);
  expect(await placesOf(cluster)).toEqual(everywhere("httpd:1"));
  expect(await uids(cluster)).not.toContain(first?.metadata.uid);
});

const affinity = (value: string) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: "colour", operator: "In", values: [value] }] }],
    },
  },
});

test.for([
  { by: "a node selector", to: (value: string) => ({ nodeSelector: { colour: value } }) },
  { by: "node affinity", to: (value: string) => ({ affinity: affinity(value) }) },
])("by $by it runs where the label is, and moves when the label or the template changes", async ({ to }) => {
  const cluster = await startSets();
  await createDaemon(cluster, { template: setTemplate("httpd:1", false, to("blue")) });
  await cluster.seconds(10);
  expect(await placesOf(cluster)).toEqual([]);
  await colour(cluster, "node-2", "blue");
  await cluster.seconds(10);
  expect(await placesOf(cluster)).toEqual(["node-2 httpd:1"]);
  await colour(cluster, "node-2", "green");
  await cluster.seconds(20);
  expect(await placesOf(cluster)).toEqual([]);
  await patchDaemon(cluster, { template: { spec: to("green") } });
  await cluster.seconds(20);
  expect(await placesOf(cluster)).toEqual(["node-2 httpd:1"]);
});

test("a Pod that has failed is deleted, said, and made anew", async () => {
  const cluster = await startSets();
  await createDaemon(cluster);
  await cluster.seconds(10);
  const [first] = await cluster.pods();
  const body = { status: { phase: "Failed" } } as never;
  await cluster.client.patch(pods, first?.metadata ?? { name: "" }, {
    type: "merge",
    subresource: "status",
    body,
  });
  await cluster.seconds(30);
  expect(await placesOf(cluster)).toEqual(everywhere("httpd:1"));
  expect(await uids(cluster)).not.toContain(first?.metadata.uid);
  const { items } = await cluster.client.list(events, { namespace: "default" });
  expect(items.map(({ message }) => message)).toContain(
    `Found failed daemon pod default/${first?.metadata.name} on node ${first?.spec.nodeName}, will try to kill it`,
  );
});

test("under OnDelete Pods stay as they are, under RollingUpdate they are replaced", async () => {
  const cluster = await startSets();
  await createDaemon(cluster, { updateStrategy: { type: "OnDelete" } });
  await cluster.seconds(10);
  const before = await uids(cluster);
  await patchDaemon(cluster, image("httpd:2"));
  await cluster.seconds(30);
  expect(await uids(cluster)).toEqual(before);
  await patchDaemon(cluster, { updateStrategy: { type: "RollingUpdate" } });
  await cluster.seconds(60);
  expect(await placesOf(cluster)).toEqual(everywhere("httpd:2"));
  const { items } = await cluster.client.list(controllerRevisions, { namespace: "default" });
  expect(items.map(({ revision }) => revision).toSorted((a, b) => a - b)).toEqual([1, 2]);
});

test("a rollout that is put back restarts only the Pods that it had replaced", async () => {
  const cluster = await startSets();
  await createDaemon(cluster);
  await cluster.seconds(10);
  const before = await uids(cluster);
  await patchDaemon(cluster, image("nowhere.invalid/missing:1"));
  const annotations = { "sim.trimtab.dev/neverReady": "true" };
  await patchDaemon(cluster, { template: { metadata: { annotations } } });
  await cluster.seconds(60);
  const kept = (await uids(cluster)).filter((uid) => before.includes(uid));
  expect(kept).toHaveLength(2);
  await patchDaemon(cluster, {
    template: { metadata: { annotations: { "sim.trimtab.dev/neverReady": null } } },
  });
  await patchDaemon(cluster, image("httpd:1"));
  await cluster.seconds(60);
  expect(await placesOf(cluster)).toEqual(everywhere("httpd:1"));
  expect(await uids(cluster)).toEqual(expect.arrayContaining(kept));
});

test("with maxSurge old and new Pods overlap, no node is without a ready one, and lost ones come back", async () => {
  const cluster = await startSets();
  await createDaemon(cluster, {
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    minReadySeconds: 5,
  });
  await cluster.seconds(20);
  await patchDaemon(cluster, image("httpd:2"));
  let most = 0;
  let isDisturbed = false;
  for (let second = 0; second < 120; second++) {
    await cluster.seconds(1);
    const present = (await cluster.pods()).filter((pod) => !isBeingDeleted(pod));
    most = Math.max(most, present.length);
    if (!isDisturbed) expect((await readyNames(cluster)).length).toBeGreaterThanOrEqual(3);
    const surging = present.find(({ spec }) => spec.containers[0]?.image === "httpd:2");
    if (second === 20 && surging !== undefined) {
      isDisturbed = true;
      await cluster.deletePod(surging.metadata.name);
    }
  }
  expect([most, isDisturbed]).toEqual([4, true]);
  expect(await placesOf(cluster)).toEqual(everywhere("httpd:2"));
});

test("its status is patched, and it is deleted with others by their label", async () => {
  const cluster = await startSets();
  const { client } = cluster;
  await createDaemon(cluster);
  await cluster.seconds(10);
  const conditions = [{ type: "StatusPatched", status: "True" }];
  const body = { status: { conditions } } as never;
  const patched = await client.patch(daemonSets, set, { type: "merge", subresource: "status", body });
  expect(patched.status?.conditions).toMatchObject(conditions);
  await client.deleteCollection(daemonSets, { namespace: "default", labelSelector: "name=web" });
  await cluster.seconds(60);
  expect((await client.list(daemonSets, {})).items).toEqual([]);
  expect(await cluster.pods()).toEqual([]);
});

test("nodes with taints have none, unless its Pods tolerate them", async () => {
  const cluster = await startSets();
  const taints = [{ key: "dedicated", value: "gpu", effect: "NoSchedule" }];
  await cluster.client.patch(nodes, { name: "node-1" }, { type: "merge", body: { spec: { taints } } });
  await createDaemon(cluster);
  await cluster.seconds(10);
  expect(await placesOf(cluster)).toEqual(["node-2 httpd:1", "node-3 httpd:1"]);
  await patchDaemon(cluster, {
    template: { spec: { tolerations: [{ key: "dedicated", operator: "Exists" }] } },
  });
  await cluster.seconds(60);
  expect(await placesOf(cluster)).toEqual(everywhere("httpd:1"));
});
