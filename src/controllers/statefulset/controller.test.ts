import { expect, onTestFinished, test } from "vitest";
import type { StatefulSet, StatefulSetSpec } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { isBeingDeleted } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { isReady } from "../../api/pod-state.ts";
import {
  controllerRevisions,
  events,
  nodes,
  persistentVolumeClaims,
  podDisruptionBudgets,
  pods,
  statefulSets,
} from "../../api/resources.ts";
import { hashRevision, revisionDataOf } from "../../decisions/revisions/revision-data.ts";
import { apiFailure } from "../../machinery/client/api-error.ts";
import type { ClientCall, Interceptor } from "../../machinery/client/intercept-client.ts";
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
  expect(first?.metadata.generateName).toBe("db-");
  expect(first?.metadata.labels).toMatchObject({
    "statefulset.kubernetes.io/pod-name": "db-0",
    "apps.kubernetes.io/pod-index": "0",
    "controller-revision-hash": status?.updateRevision,
  });
  const { items } = await client.list(controllerRevisions, { namespace: "default" });
  expect(items.map(({ metadata, revision }) => [metadata.name, revision])).toEqual([
    [status?.updateRevision, 1],
  ]);
  expect(await recorded()).toContain("SuccessfulCreate: Create Pod db-0 in StatefulSet db successful");
});

test("an update replaces Pods from the highest ordinal down, and is the current one in the end", async () => {
  const { clock, seen, stored, setImage, decisions } = await start();
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
  expect(decisions.deletions.find({ name: "db" }).map(({ pod, rule }) => `${pod} ${rule}`)).toEqual([
    "db-0 outdated",
    "db-1 outdated",
    "db-2 outdated",
  ]);
  const { status } = await stored();
  expect(status).toMatchObject({ currentReplicas: 3, updatedReplicas: 3 });
  expect(status?.currentRevision).toBe(status?.updateRevision);
});

/** Lets the API server answer some requests with an error. */
function failing(isChosen: (call: ClientCall) => boolean, error: Error): Interceptor {
  return { call: async (call, send) => (isChosen(call) ? Promise.reject(error) : send()) };
}

test("a Pod that is refused ends the batches that follow, is reported, and is tried again", async () => {
  let refusals = 1;
  const isFirst = ({ verb, collection, name }: ClientCall) =>
    verb === "create" && collection === "pods" && name === "db-0" && refusals-- > 0;
  const creations: string[] = [];
  const noted = (call: ClientCall) => {
    if (call.verb === "create" && call.collection === "pods") creations.push(call.name ?? "");
    return isFirst(call);
  };
  const {
    clock,
    seen,
    events: recorded,
  } = await start(
    { replicas: 7, podManagementPolicy: "Parallel" },
    { faults: [failing(noted, apiFailure(403, "Forbidden", "not now"))] },
  );
  await clock.advance(60_000);
  expect(creations.slice(0, 2)).toEqual(["db-0", "db-0"]);
  expect(await seen()).toHaveLength(7);
  expect(await recorded()).toContain("FailedCreate: Create Pod db-0 in StatefulSet db failed error: not now");
});

const dataClaim = {
  metadata: { name: "data" } as never,
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};
const retention = (whenDeleted: string, whenScaled: string) => ({
  volumeClaimTemplates: [dataClaim],
  persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled },
});

test("each Pod gets its claim first, which outlives it", async () => {
  const { clock, client, patch, events: recorded } = await start({ volumeClaimTemplates: [dataClaim] });
  await clock.advance(60_000);
  const claims = async () =>
    (await client.list(persistentVolumeClaims, {})).items.map(({ metadata }) => metadata.name).toSorted();
  expect(await claims()).toEqual(["data-db-0", "data-db-1", "data-db-2"]);
  expect(await recorded()).toContain(
    "SuccessfulCreate: Create Claim data-db-0 Pod db-0 in StatefulSet db success",
  );
  await patch({ replicas: 1 });
  await clock.advance(60_000);
  expect(await claims()).toEqual(["data-db-0", "data-db-1", "data-db-2"]);
});

test.for([
  { whenDeleted: "Retain", want: ["data-db-0", "data-db-1", "data-db-2"] },
  { whenDeleted: "Delete", want: [] },
])("claims of a set that is deleted: $whenDeleted", async ({ whenDeleted, want }) => {
  const { clock, client, seen } = await start(retention(whenDeleted, "Retain"));
  await clock.advance(60_000);
  await client.delete(statefulSets, db, { propagationPolicy: "Background" });
  await clock.advance(120_000);
  expect(await seen()).toEqual([]);
  const { items } = await client.list(persistentVolumeClaims, {});
  expect(items.map(({ metadata }) => metadata.name).toSorted()).toEqual(want);
});

test("claims go with the Pods of a scale-down where the policy says so, and new ones come with a scale-up", async () => {
  const { clock, client, patch, seen } = await start(retention("Retain", "Delete"));
  await clock.advance(60_000);
  const claims = async () =>
    (await client.list(persistentVolumeClaims, {})).items.map(({ metadata }) => [
      metadata.name,
      metadata.uid,
    ]);
  const before = new Map((await claims()) as [string, string][]);
  await patch({ replicas: 1 });
  await clock.advance(120_000);
  expect((await claims()).map(([name]) => name)).toEqual(["data-db-0"]);
  await patch({ replicas: 3 });
  await clock.advance(120_000);
  expect(await seen()).toHaveLength(3);
  const after = new Map((await claims()) as [string, string][]);
  expect([...after].map(([name, uid]) => before.get(name) === uid)).toEqual([true, false, false]);
});

test("a Pod that lost its owner is adopted, one that lost its labels is released, and a stranger is left alone", async () => {
  const { clock, client, pods: listed, events: recorded } = await start();
  await clock.advance(60_000);
  const merge = (name: string, metadata: JsonObject) =>
    client.patch(pods, { namespace: "default", name }, { type: "merge", body: { metadata } });
  const uid = async () => (await client.get(statefulSets, db)).metadata.uid;
  const owned = async () =>
    (await listed())
      .filter((pod) => controllerOf(pod) !== undefined)
      .map(({ metadata }) => metadata.name)
      .toSorted();
  await merge("db-1", { ownerReferences: null });
  await client.create(pods, {
    metadata: { namespace: "default", name: "other-1", labels },
    spec: { containers: [{ name: "a", image: "a" }] },
  });
  await clock.advance(5000);
  expect(await owned()).toEqual(["db-0", "db-1", "db-2"]);
  expect(
    controllerOf((await listed()).find(({ metadata }) => metadata.name === "db-1") ?? { metadata: {} })?.uid,
  ).toBe(await uid());

  await merge("db-1", { labels: { app: "else" } });
  await clock.advance(30_000);
  expect(await owned()).toEqual(["db-0", "db-2"]);
  expect((await recorded()).filter((text) => text.startsWith("FailedCreate"))).toEqual([]);
  await merge("db-1", { labels });
  await clock.advance(60_000);
  expect(await owned()).toEqual(["db-0", "db-1", "db-2"]);
});

test("the name of a new revision that is taken by other data leads to another name and a collision count", async () => {
  const { clock, client, setImage, stored } = await start();
  await clock.advance(60_000);
  const template = (await stored()).spec.template;
  const next = {
    ...template,
    spec: {
      ...template.spec,
      containers: template.spec?.containers.map((one) => ({ ...one, image: "db:2" })) ?? [],
    },
  };
  const name = `db-${hashRevision(revisionDataOf(next), 0)}`;
  await client.create(controllerRevisions, {
    metadata: { namespace: "default", name },
    data: { other: 1 },
    revision: 7,
  });
  await setImage("db:2");
  await clock.advance(120_000);
  const { status } = await stored();
  expect(status).toMatchObject({ collisionCount: 1, updatedReplicas: 3 });
  expect(status?.updateRevision).not.toBe(name);
});

test("a name whose labels are too long is refused again and again, and said", async () => {
  const cluster = await testCluster({ observed: ["statefulset"] });
  onTestFinished(cluster.stop);
  const name = "d".repeat(60);
  await cluster.client.create(statefulSets, {
    metadata: { namespace: "default", name },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: template() },
  });
  await cluster.clock.advance(30_000);
  expect((await cluster.client.list(pods, { namespace: "default" })).items).toEqual([]);
  const { items } = await cluster.client.list(events, { namespace: "default" });
  const failure = items.find(({ reason }) => reason === "FailedCreate");
  expect(failure?.message).toMatch(/must be no more than 63/);
});

test("a disruption budget does not hold an update back, but refuses evictions meanwhile", async () => {
  const { clock, client, setImage, seen } = await start();
  await client.create(podDisruptionBudgets, {
    metadata: { namespace: "default", name: "db" },
    spec: { minAvailable: 3, selector: { matchLabels: labels } },
  });
  await clock.advance(60_000);
  await setImage("db:2");
  await clock.advance(3000);
  const eviction = client.evict({ namespace: "default", name: "db-0" });
  await expect(eviction).rejects.toMatchObject({ code: 429 });
  await clock.advance(120_000);
  expect(await seen()).toEqual(["db-0 db:2", "db-1 db:2", "db-2 db:2"]);
});

test("a Pod on a lost node stays until it is known to be gone, and only then is made anew", async () => {
  const { clock, client, pods: listed } = await start({ replicas: 1 });
  await clock.advance(30_000);
  const [pod] = await listed();
  const node = pod?.spec?.nodeName ?? "";
  const annotations = { "sim.trimtab.dev/unreachable": "true" };
  await client.patch(nodes, { name: node }, { type: "merge", body: { metadata: { annotations } } });
  await clock.advance(900_000);
  const [lost, ...others] = await listed();
  expect([lost?.metadata.uid, others]).toEqual([pod?.metadata.uid, []]);
  expect(isBeingDeleted(lost ?? {})).toBe(true);
  await client.delete(pods, { namespace: "default", name: "db-0" }, { gracePeriodSeconds: 0 });
  await clock.advance(60_000);
  const [next] = await listed();
  expect(next?.metadata.uid).not.toBe(pod?.metadata.uid);
  expect(isReady(next ?? ({} as Pod))).toBe(true);
});

test("with its gate on, maxUnavailable is measured, and while it is off it is not", async () => {
  const spec = {
    podManagementPolicy: "Parallel",
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 2 } },
  };
  const { clock, metrics, switchGates, setImage } = await start(spec, {
    gates: { MaxUnavailableStatefulSet: true },
  });
  const name = "statefulset_controller_statefulset_max_unavailable";
  await clock.advance(60_000);
  const labelsOf = {
    statefulset_namespace: "default",
    statefulset_name: "db",
    pod_management_policy: "Parallel",
  };
  expect(metrics.value(name, labelsOf)).toBe(2);
  switchGates({ MaxUnavailableStatefulSet: false });
  await setImage("db:2");
  await clock.advance(60_000);
  expect(metrics.value(name, labelsOf)).toBe(0);
});

test.for([
  ["whose revision goes", false],
  ["whose revision is still there", true],
] as const)(
  "a controller that has not heard that its set is gone does not create its Pods again and again: one %s",
  async ([, keepsRevision]) => {
    let hears = true;
    const unheard: Interceptor = {
      async *watch({ collection }, { open }) {
        for await (const event of open()) if (hears || collection !== "statefulsets.apps") yield event;
      },
    };
    const creations: string[] = [];
    const counted: Interceptor = {
      call: async (call, send) => {
        const { verb, collection, name = collection } = call;
        if (verb === "create" && collection !== "events") creations.push(name);
        if (keepsRevision && verb === "delete" && collection === "controllerrevisions.apps")
          throw apiFailure(500, "InternalError");
        return send();
      },
    };
    const { clock, client, pods: listed } = await start({}, { faults: [unheard, counted] });
    await clock.advance(60_000);
    hears = false;
    const before = creations.length;
    await client.delete(statefulSets, db, { propagationPolicy: "Background" });
    await clock.advance(60_000);
    expect(await listed()).toEqual([]);
    // The first Pods that go may be created once more, before the garbage collector has come to the revision.
    expect(creations.length - before).toBeLessThan(10);
  },
);
