import { expect, onTestFinished, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Draft } from "../../api/object.ts";
import { namespaces, nodes, pods, replicaSets, serviceAccounts, services } from "../../api/resources.ts";
import { apiFailure } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import { type ClientCall, interceptClient } from "../../machinery/client/intercept-client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { drainMicrotasks } from "../../machinery/clock/virtual-clock.ts";
import { runController } from "../../machinery/controller.ts";
import { Expectations } from "../../machinery/expectations.ts";
import { Informer } from "../../machinery/informer/informer.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { collectingLogger } from "../../testing/collecting-logger.ts";
import { collectingRecorder } from "../../testing/collecting-recorder.ts";
import { testApi, type TestApi } from "../../testing/test-api.ts";
import { memoryMetrics } from "../../testing/memory-metrics.ts";
import { pod } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { removalEncoder } from "../../decisions/explain/removal-record.ts";
import { DecisionLog } from "../../machinery/diagnostics/decision-log.ts";
import { replicaSetController, informerReader } from "./controller.ts";
import { describeReader } from "../../decisions/gather/workload-reader.contract.ts";
import { InformerFactory } from "../../machinery/informer/informer-factory.ts";
import { silentLogger } from "../../machinery/log/logger.ts";
import { ownerIndexOf } from "../../machinery/ownership/owner-index.ts";
import { replicaSetKind } from "./kind.ts";

const web = { namespace: "default", name: "web" };

const silent = {
  events: collectingRecorder(),
  records: new DecisionLog(removalEncoder),
  gates: () => defaultFeatureGates,
};

/** A controller, and ReplicaSets that were stored before any validation. */
async function start(...stored: readonly Draft<ReplicaSet>[]) {
  return startWith(() => undefined, ...stored);
}

/** The same with another client, made of that of the API server. */
async function startWith(
  clientOf: (api: TestApi) => Client | undefined,
  ...stored: readonly Draft<ReplicaSet>[]
) {
  const api = testApi();
  const { clock } = api;
  api.seed(namespaces, { metadata: { name: "default" }, spec: {}, status: { phase: "Active" } });
  api.seed(serviceAccounts, { metadata: { name: "default", namespace: "default" } });
  for (const owner of stored) api.seed(replicaSets, owner);
  const client = clientOf(api) ?? api.client;
  const log = collectingLogger();
  const metrics = memoryMetrics();
  const options = { client, clock, random: seededRandom("bare"), log };
  const owners = new Informer({ ...options, resource: replicaSets });
  const podInformer = new Informer({ ...options, resource: pods });
  const nodeInformer = new Informer({ ...options, resource: nodes });
  const serviceInformer = new Informer({ ...options, resource: services });
  const informers = { owners, pods: podInformer, nodes: nodeInformer, services: serviceInformer };
  const spec = replicaSetController({ ...options, ...silent, ...informers, metrics });
  const ending = new AbortController();
  const runs = [
    owners.run(ending.signal),
    nodeInformer.run(ending.signal),
    serviceInformer.run(ending.signal),
    podInformer.run(ending.signal),
    runController(spec, { clock, log }, ending.signal),
  ];
  onTestFinished(async () => {
    ending.abort();
    await Promise.all(runs);
  });
  await clock.advance(60_000);
  return { api, clock, log, metrics, requests: api.requests };
}

type Selector = ReplicaSet["spec"]["selector"];

function selecting(selector: unknown): ReplicaSet {
  const owner = replicaSet("web", { size: 3 });
  return { ...owner, spec: { ...owner.spec, selector: selector as Selector } };
}

test.for([
  {
    name: "that cannot be read",
    selector: { matchExpressions: [{ key: "app", operator: "Roughly" }] },
  },
  { name: "with an invalid key", selector: { matchLabels: { "not a key": "web" } } },
  { name: "that is empty", selector: {} },
  { name: "that is not there", selector: undefined },
  { name: "that is null", selector: null },
])("a ReplicaSet with a selector $name is left alone until it changes", async ({ selector }) => {
  const { requests, log } = await start(selecting(selector));
  expect(requests).toEqual([]);
  expect(log.entries).toEqual([
    {
      level: "warn",
      message: "selector cannot be used",
      fields: { kind: "ReplicaSet", key: "default/web" },
    },
  ]);
});

test("a ReplicaSet whose selector does not match its template creates no Pods, reports that, and is retried ever more slowly", async () => {
  const { api, requests, log } = await start(selecting({ matchLabels: { app: "other" } }));
  expect(requests.filter(({ collection }) => collection === "pods")).toEqual([]);
  expect((await api.client.get(replicaSets, web)).status?.conditions).toEqual([
    expect.objectContaining({
      reason: "FailedCreate",
      message: "unable to create pods, the selector does not match the template's labels",
    }),
  ]);
  expect(log.entries.filter(({ message }) => message === "reconcile failed").length).toBeLessThan(20);
});

test("a ReplicaSet without a template creates no Pods and reports that", async () => {
  const owner = replicaSet("web");
  const { template: _none, ...spec } = owner.spec;
  const { api } = await start({ ...owner, spec });
  expect((await api.client.get(replicaSets, web)).status?.conditions).toEqual([
    expect.objectContaining({ reason: "FailedCreate", message: "unable to create pods, no labels" }),
  ]);
});

test("a size that is no number is left alone", async () => {
  const owner = replicaSet("web");
  const replicas = "many" as unknown as number;
  const { requests, log } = await start({ ...owner, spec: { ...owner.spec, replicas } });
  expect(requests.filter(({ collection }) => collection === "pods")).toEqual([]);
  expect(log.entries).toEqual([]);
});

test("a key without a ReplicaSet is forgotten", async () => {
  const { api, clock, log } = await start();
  api.seed(replicaSets, replicaSet("web", { size: 0 }));
  await clock.settle();
  await api.client.delete(replicaSets, web);
  await clock.advance(60_000);
  expect(log.entries).toEqual([]);
});

test.for(["nodes", "services"])("a controller that may not list %s works without them", async (resource) => {
  const refuse = ({ collection }: ClientCall) => {
    if (collection === resource) throw apiFailure(403, "Forbidden");
  };
  const withoutThem = ({ client }: TestApi) =>
    interceptClient(client, {
      async call(request, send) {
        refuse(request);
        return send();
      },
      async *watch(request, { open }) {
        refuse(request);
        yield* open();
      },
    });
  const { api, log } = await startWith(withoutThem, replicaSet("web", { size: 3 }));
  expect((await api.client.list(pods, {})).items).toHaveLength(3);
  expect(log.entries).toContainEqual(
    expect.objectContaining({ level: "warn", fields: expect.objectContaining({ resource }) }),
  );
});

test.for(["nodes", "services"])("nothing is decided before the %s have been listed", async (resource) => {
  let early: number | undefined;
  const late = (api: TestApi) => {
    api.clock.after(29_000, () => (early = creationsOf(api).length));
    return interceptClient(api.client, {
      async *watch({ collection }, { open }) {
        if (collection === resource) await api.clock.sleep(30_000);
        yield* open();
      },
    });
  };
  const { api } = await startWith(late, replicaSet("web", { size: 3, pods: 0 }));
  expect(early).toBe(0);
  expect(creationsOf(api)).toHaveLength(3);
});

test("a Pod that is observed while its expectation is checked is not created twice", async () => {
  const { client, clock, requests, seed } = testApi();
  const owner = seed(replicaSets, replicaSet("web"));
  seed(pods, podOf(owner));
  const log = collectingLogger();
  const options = { client, clock, random: seededRandom("late"), log };
  let isSeen = false;
  class LateInformer extends Informer<Pod> {
    override byIndex(name: string, value: string): readonly Pod[] {
      return isSeen ? super.byIndex(name, value) : [];
    }
  }
  class LastMoment extends Expectations {
    override areSatisfied(key: string): boolean {
      isSeen = true;
      return super.areSatisfied(key);
    }
  }
  const owners = new Informer({ ...options, resource: replicaSets });
  const podInformer = new LateInformer({ ...options, resource: pods });
  const expectations = new LastMoment(clock);
  const metrics = memoryMetrics();
  const nodeInformer = new Informer({ ...options, resource: nodes });
  const serviceInformer = new Informer({ ...options, resource: services });
  const informers = { owners, pods: podInformer, nodes: nodeInformer, services: serviceInformer };
  const deps = { ...options, ...silent, ...informers, metrics, expectations };
  const controller = replicaSetController(deps);
  const ending = new AbortController();
  const runs = [owners.run(ending.signal), podInformer.run(ending.signal)];
  await clock.settle();
  await controller.reconcile("default/web", ending.signal);
  const made = requests.filter(({ verb }) => verb === "create");
  ending.abort();
  await Promise.all(runs);
  expect(made).toEqual([]);
});

test("a Pod that is gone while its removal is recorded is not waited for", async () => {
  const { client, clock, store, seed } = testApi();
  const owner = seed(replicaSets, replicaSet("web", { size: 1 }));
  for (const name of ["web-1", "web-2"]) seed(pods, podOf(owner, name));
  const records = new DecisionLog(removalEncoder);
  // In the pauses of the controller alone: the victim goes once it is recorded, and the informer sees that.
  const pausing: Clock = {
    now: () => clock.now(),
    after: (delayMs, task) => clock.after(delayMs, task),
    whenIdle: (task) => clock.whenIdle(task),
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
    async yieldToEventLoop() {
      const victim = records.find({})[0]?.candidates.find(({ verdict }) => verdict === "goes");
      if (victim === undefined) return;
      store.collection("pods").remove(`default/${victim.pod}`);
      while (podInformer.get(`default/${victim.pod}`) !== undefined) await drainMicrotasks();
    },
  };
  const options = { client, clock, random: seededRandom("gone"), log: collectingLogger() };
  const owners = new Informer({ ...options, resource: replicaSets });
  const podInformer = new Informer({ ...options, resource: pods });
  const nodeInformer = new Informer({ ...options, resource: nodes });
  const serviceInformer = new Informer({ ...options, resource: services });
  const informers = { owners, pods: podInformer, nodes: nodeInformer, services: serviceInformer };
  const expectations = new Expectations(clock);
  const deps = {
    ...options,
    ...silent,
    ...informers,
    metrics: memoryMetrics(),
    expectations,
    records,
    clock: pausing,
  };
  const ending = new AbortController();
  const spec = replicaSetController(deps);
  const runs = [owners, podInformer, nodeInformer, serviceInformer].map((informer) =>
    informer.run(ending.signal),
  );
  runs.push(runController(spec, options, ending.signal));
  await clock.advance(60_000);
  ending.abort();
  await Promise.all(runs);
  expect((await client.list(pods, {})).items).toHaveLength(1);
  expect(expectations.areSatisfied("default/web")).toBe(true);
});

test("the expectations of a key without a ReplicaSet are forgotten", async () => {
  const { client, clock } = testApi();
  const options = { client, clock, random: seededRandom("forgotten"), log: collectingLogger() };
  const owners = new Informer({ ...options, resource: replicaSets });
  const podInformer = new Informer({ ...options, resource: pods });
  const expectations = new Expectations(clock);
  expectations.expectCreations("default/web", 3);
  const metrics = memoryMetrics();
  const nodeInformer = new Informer({ ...options, resource: nodes });
  const serviceInformer = new Informer({ ...options, resource: services });
  const informers = { owners, pods: podInformer, nodes: nodeInformer, services: serviceInformer };
  const deps = { ...options, ...silent, ...informers, metrics, expectations };
  await replicaSetController(deps).reconcile("default/web", new AbortController().signal);
  expect(expectations.areSatisfied("default/web")).toBe(true);
});

function podOf(
  { kind = "", apiVersion = "", metadata: { name, uid }, spec }: ReplicaSet,
  podName = "web-1",
): Pod {
  const labels = spec.template?.metadata?.labels ?? {};
  const { metadata, ...rest } = pod(podName, { labels, uid: podName });
  return {
    ...rest,
    metadata: { ...metadata, ownerReferences: [{ apiVersion, kind, name, uid, controller: true }] },
  };
}

/** A client whose requests to create Pods take a while. */
function slowClientOf({ client, clock }: TestApi): Client {
  return interceptClient(client, {
    async call({ verb, collection }, send) {
      if (verb === "create" && collection === "pods") await clock.sleep(10);
      return send();
    },
  });
}

const creationsOf = ({ requests }: TestApi) =>
  requests.filter(({ verb, collection }) => verb === "create" && collection === "pods");

test("no Pod is created for a ReplicaSet once it is known to be deleted", async () => {
  const { api, log } = await startWith(
    (slow) => {
      slow.clock.after(25, () => void slow.store.collection("replicasets.apps").remove("default/web"));
      return slowClientOf(slow);
    },
    replicaSet("web", { size: 20, pods: 0 }),
  );
  // One at once, two after 10 ms and four after 20 ms; eight more would have followed.
  expect(creationsOf(api)).toHaveLength(7);
  expect(log.entries).toEqual([]);
});

test("no Pod is created for a ReplicaSet once it is known to be being deleted", async () => {
  const owner = replicaSet("web", { size: 20, pods: 0 });
  const { metadata, ...rest } = owner;
  const deletionTimestamp = "2026-01-01T00:00:00Z";
  const { api } = await startWith((slow) => {
    const going = { ...rest, metadata: { ...metadata, deletionTimestamp } };
    slow.clock.after(25, () => void slow.seed(replicaSets, going));
    return slowClientOf(slow);
  }, owner);
  expect(creationsOf(api)).toHaveLength(7);
});

describeReader(async (objects) => {
  const { client, clock, seed } = testApi();
  for (const object of objects.replicaSets) seed(replicaSets, object);
  for (const object of objects.pods) seed(pods, object);
  for (const object of objects.nodes) seed(nodes, object);
  const informers = new InformerFactory({
    client,
    clock,
    random: seededRandom("reader"),
    log: silentLogger,
  });
  const sources = {
    owners: informers.of(replicaSets),
    pods: informers.of(pods),
    nodes: informers.of(nodes),
    services: informers.of(services),
  };
  const { selectionOf } = replicaSetKind;
  const index = ownerIndexOf({ owners: sources.owners, dependents: sources.pods, selectionOf });
  const reader = informerReader(index, sources);
  const ending = new AbortController();
  const running = informers.run(ending.signal);
  onTestFinished(async () => {
    ending.abort();
    await running;
  });
  await clock.settle();
  return reader;
});
