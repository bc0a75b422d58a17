import { expect, onTestFinished, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Draft } from "../../api/object.ts";
import { pods, replicaSets } from "../../api/resources.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { runController } from "../../machinery/controller.ts";
import { Expectations } from "../../machinery/expectations.ts";
import { Informer } from "../../machinery/informer/informer.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { collectingLogger } from "../../testing/collecting-logger.ts";
import { collectingRecorder } from "../../testing/collecting-recorder.ts";
import { ScriptedApi } from "../../testing/scripted-api.ts";
import { memoryMetrics } from "../../testing/memory-metrics.ts";
import { pod } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { removalEncoder } from "../../decisions/explain/removal-record.ts";
import { DecisionLog } from "../../machinery/diagnostics/decision-log.ts";
import { replicaSetController } from "./controller.ts";

const silent = {
  events: collectingRecorder(),
  records: new DecisionLog(removalEncoder),
  gates: () => defaultFeatureGates,
};

/** A controller on an API server that lets anything in. */
async function start(...stored: readonly Draft<ReplicaSet>[]) {
  return startWith(() => undefined, ...stored);
}

/** The same, prepared by the test. */
async function startWith(
  prepare: (api: ScriptedApi, clock: VirtualClock) => void,
  ...stored: readonly Draft<ReplicaSet>[]
) {
  const api = new ScriptedApi();
  for (const owner of stored) await api.create(replicaSets, owner);
  const clock = new VirtualClock();
  prepare(api, clock);
  const log = collectingLogger();
  const metrics = memoryMetrics();
  const options = { client: api, clock, random: seededRandom("bare"), log };
  const owners = new Informer({ ...options, resource: replicaSets });
  const podInformer = new Informer({ ...options, resource: pods });
  const spec = replicaSetController({ ...options, ...silent, owners, pods: podInformer, metrics });
  const ending = new AbortController();
  const runs = [
    owners.run(ending.signal),
    podInformer.run(ending.signal),
    runController(spec, { clock, log }, ending.signal),
  ];
  onTestFinished(async () => {
    ending.abort();
    await Promise.all(runs);
  });
  await clock.advance(60_000);
  const requests = api.requests
    .filter(({ verb }) => verb !== "watch" && verb !== "list")
    .slice(stored.length);
  return { api, clock, log, metrics, requests };
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
  expect(requests.filter(({ resource }) => resource === "pods")).toEqual([]);
  expect(api.stored(replicaSets)[0]?.status?.conditions).toEqual([
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
  expect(api.stored(replicaSets)[0]?.status?.conditions).toEqual([
    expect.objectContaining({ reason: "FailedCreate", message: "unable to create pods, no labels" }),
  ]);
});

test("a size that is no number is left alone", async () => {
  const owner = replicaSet("web");
  const replicas = "many" as unknown as number;
  const { requests, log } = await start({ ...owner, spec: { ...owner.spec, replicas } });
  expect(requests.filter(({ resource }) => resource === "pods")).toEqual([]);
  expect(log.entries).toEqual([]);
});

test("a key without a ReplicaSet is forgotten", async () => {
  const { api, clock, log } = await start();
  await api.create(replicaSets, replicaSet("web", { size: 0 }));
  await clock.settle();
  await api.delete(replicaSets, { namespace: "default", name: "web" });
  await clock.advance(60_000);
  expect(log.entries).toEqual([]);
});

test("a Pod that is observed while its expectation is checked is not created twice", async () => {
  const api = new ScriptedApi();
  const owner = await api.create(replicaSets, replicaSet("web"));
  await api.create(pods, podOf(owner));
  const clock = new VirtualClock();
  const log = collectingLogger();
  const options = { client: api, clock, random: seededRandom("late"), log };
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
  const deps = { ...options, ...silent, owners, pods: podInformer, metrics, expectations };
  const controller = replicaSetController(deps);
  const ending = new AbortController();
  const runs = [owners.run(ending.signal), podInformer.run(ending.signal)];
  await clock.settle();
  const before = api.requests.length;
  await controller.reconcile("default/web", ending.signal);
  const made = api.requests.slice(before).filter(({ verb }) => verb === "create");
  ending.abort();
  await Promise.all(runs);
  expect(made).toEqual([]);
});

test("the expectations of a key without a ReplicaSet are forgotten", async () => {
  const api = new ScriptedApi();
  const clock = new VirtualClock();
  const options = { client: api, clock, random: seededRandom("forgotten"), log: collectingLogger() };
  const owners = new Informer({ ...options, resource: replicaSets });
  const podInformer = new Informer({ ...options, resource: pods });
  const expectations = new Expectations(clock);
  expectations.expectCreations("default/web", 3);
  const metrics = memoryMetrics();
  const deps = { ...options, ...silent, owners, pods: podInformer, metrics, expectations };
  await replicaSetController(deps).reconcile("default/web", new AbortController().signal);
  expect(expectations.areSatisfied("default/web")).toBe(true);
});

function podOf({ kind = "", apiVersion = "", metadata: { name, uid }, spec }: ReplicaSet): Pod {
  const labels = spec.template?.metadata?.labels ?? {};
  const { metadata, ...rest } = pod("web-1", { labels });
  return {
    ...rest,
    metadata: { ...metadata, ownerReferences: [{ apiVersion, kind, name, uid, controller: true }] },
  };
}

/** Requests that create Pods take a while, and give them names. */
function slowly(api: ScriptedApi, clock: VirtualClock): void {
  const create = api.create.bind(api);
  let count = 0;
  api.create = async (resource, object) => {
    await clock.sleep(10);
    const metadata = { ...object.metadata, name: `${object.metadata.generateName}${count++}` };
    return create(resource, { ...object, metadata });
  };
}

const creationsOf = (api: ScriptedApi) =>
  api.requests.filter(({ verb, resource }) => verb === "create" && resource === "pods");

test("no Pod is created for a ReplicaSet once it is known to be deleted", async () => {
  const { api, log } = await startWith(
    (slow, clock) => {
      slowly(slow, clock);
      clock.after(25, () => void slow.delete(replicaSets, { namespace: "default", name: "web" }));
    },
    replicaSet("web", { size: 20, pods: 0 }),
  );
  // One at once, two after 10 ms and four after 20 ms; eight more would have followed.
  expect(creationsOf(api)).toHaveLength(7);
  expect(log.entries).toEqual([]);
});

test("no Pod is created for a ReplicaSet once it is known to be being deleted", async () => {
  const owner = replicaSet("web", { size: 20, pods: 0 });
  const { api } = await startWith((slow, clock) => {
    slowly(slow, clock);
    clock.after(25, () => {
      const deletionTimestamp = "2026-01-01T00:00:00Z";
      for (const { metadata, ...rest } of slow.stored(replicaSets))
        void slow.update(replicaSets, { ...rest, metadata: { ...metadata, deletionTimestamp } });
    });
  }, owner);
  expect(creationsOf(api)).toHaveLength(7);
});
