import { expect, onTestFinished, test } from "vitest";
import type { StatefulSet, StatefulSetSpec } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { isReady } from "../../api/pod-state.ts";
import { controllerRevisions, events, pods, statefulSets } from "../../api/resources.ts";
import { testCluster, type TestClusterOptions } from "../../testing/test-cluster.ts";

const db = { namespace: "default", name: "db" };
const labels = { app: "db" };

const template = (image = "db:1") => ({
  metadata: { labels },
  spec: { containers: [{ name: "db", image }] },
});

/** A cluster with the StatefulSet `db`, and what a person does with it and sees of it. */
async function start(spec: Partial<StatefulSetSpec> = {}, options: TestClusterOptions = {}) {
  const cluster = await testCluster({ observed: ["statefulset"], ...options });
  onTestFinished(cluster.stop);
  const { client, clock } = cluster;
  await clock.advance(2000);
  await client.create(statefulSets, {
    metadata: db,
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      serviceName: "db",
      template: template(),
      ...spec,
    },
  });
  const listed = async () => (await client.list(pods, { namespace: "default" })).items;
  return {
    ...cluster,
    patch: (body: Partial<StatefulSetSpec>) =>
      client.patch(statefulSets, db, { type: "merge", body: { spec: { ...body } } as never }),
    setImage: (image: string) =>
      client.patch(statefulSets, db, {
        type: "strategic",
        body: { spec: { template: { spec: { containers: [{ name: "db", image }] } } } },
      }),
    stored: (): Promise<StatefulSet> => client.get(statefulSets, db),
    pods: listed,
    /** The Pods as `db-0 db:1`, those that are terminating with a `T`. */
    seen: async () => (await listed()).map(briefly).toSorted(),
    events: async () => {
      const { items } = await client.list(events, { namespace: "default" });
      return items
        .filter(({ involvedObject }) => involvedObject.kind === "StatefulSet")
        .map(({ reason, message }) => `${reason}: ${message}`);
    },
  };
}

function briefly(pod: Pod): string {
  const image = pod.spec?.containers[0]?.image ?? "";
  return `${pod.metadata.name} ${image}${isBeingDeleted(pod) ? " T" : ""}${isReady(pod) ? "" : " …"}`;
}

test("a StatefulSet gets its Pods one after another, each with its identity", async () => {
  const { clock, seen, stored, pods: listed, client, events: recorded } = await start();
  await clock.advance(60_000);
  expect(await seen()).toEqual(["db-0 db:1", "db-1 db:1", "db-2 db:1"]);
  const { status } = await stored();
  expect(status).toMatchObject({
    replicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    currentReplicas: 3,
    updatedReplicas: 3,
    observedGeneration: 1,
  });
  const [first] = await listed();
  expect(first?.spec).toMatchObject({ hostname: "db-0", subdomain: "db" });
  expect(first?.metadata.labels).toMatchObject({
    "statefulset.kubernetes.io/pod-name": "db-0",
    "apps.kubernetes.io/pod-index": "0",
    "controller-revision-hash": status?.updateRevision,
  });
  const { items } = await client.list(controllerRevisions, { namespace: "default" });
  expect(items.map(({ metadata, revision }) => [metadata.name, revision])).toEqual([
    [status?.updateRevision, 1],
  ]);
  expect(await recorded()).toContain("SuccessfulCreate: create Pod db-0 in StatefulSet db successful");
});

test("an update replaces Pods from the highest ordinal down, and is the current one in the end", async () => {
  const { clock, seen, stored, setImage } = await start();
  await clock.advance(60_000);
  await setImage("db:2");
  const order: string[] = [];
  for (let second = 0; second < 120; second++) {
    await clock.advance(1000);
    const now = (await seen()).join(", ");
    if (order.at(-1) !== now) order.push(now);
  }
  expect(order.at(-1)).toBe("db-0 db:2, db-1 db:2, db-2 db:2");
  const replaced = order.flatMap((state) => /(db-\d) db:1 T/.exec(state)?.[1] ?? []);
  expect([...new Set(replaced)]).toEqual(["db-2", "db-1", "db-0"]);
  const { status } = await stored();
  expect(status).toMatchObject({ currentReplicas: 3, updatedReplicas: 3 });
  expect(status?.currentRevision).toBe(status?.updateRevision);
});
