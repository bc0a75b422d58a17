import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/api/json.ts";
import { pods, replicaSets } from "../../../src/api/resources.ts";
import { MemoryStore } from "../../../src/cluster/store/memory-store.ts";
import type { StoreEvent } from "../../../src/cluster/store/store.ts";
import { VirtualClock } from "../../../src/machinery/clock/virtual-clock.ts";
import type { ClientCall } from "../../../src/machinery/client/intercept-client.ts";
import type { Process, SimulationObservation } from "../../../src/simulation/observation.ts";
import { boundOnce } from "./bound-once.ts";
import { InvariantChecker } from "./invariant-checker.ts";
import { countsReached } from "./counts-reached.ts";
import { invariants } from "./invariants.ts";
import type { Invariant } from "./invariant.ts";
import { noCreationBeyondShortage } from "./creations-and-deletions.ts";
import { noHotLoop } from "./no-hot-loop.ts";
import { uidRespected } from "./uid-respected.ts";
import { ownedOnce } from "./owned-once.ts";

const by: Process = { component: "replicaset", incarnation: 1, informers: undefined };
const owner = (name: string) => ({
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  name,
  uid: name,
  controller: true,
});
const pod = (members: JsonObject = {}, uid = "u1"): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  spec: {},
  ...members,
  metadata: { name: "p", namespace: "default", uid, ...(members["metadata"] as JsonObject | undefined) },
});

/** A store, and a checker that hears of its commits. */
function setUp(invariant: Invariant) {
  const clock = new VirtualClock();
  let writing: { readonly by: Process; readonly call: ClientCall } | undefined;
  const store = new MemoryStore({
    clock,
    onCommit: (collection: string, event: StoreEvent) =>
      checker.observe({ kind: "commit", collection, event, ...writing }),
  });
  const checker = new InvariantChecker([invariant], {
    clock,
    conditions: { hasFaults: true, latencyMs: 0 },
    store: () => store,
    processes: () => [by],
  });
  const put = (object: JsonObject, call?: ClientCall) => {
    writing = call === undefined ? undefined : { by, call };
    store.collection("pods").put("default/p", object);
    writing = undefined;
  };
  const observe = (observation: SimulationObservation) => checker.observe(observation);
  return { clock, store, put, observe, violation: () => checker.violation?.details };
}

test("every invariant has a name of its own and says what it promises", () => {
  expect(new Set(invariants.map(({ name }) => name)).size).toBe(invariants.length);
  for (const { description } of invariants) expect(description).toMatch(/^[a-z]/);
});

test("a checker has seen enough after the first violation", () => {
  const { put, violation } = setUp(boundOnce);
  put(pod({ spec: { nodeName: "a" } }));
  put(pod({ spec: { nodeName: "b" } }));
  put(pod({ spec: { nodeName: "c" } }));
  expect(violation()).toBe("default/p went from a to b");
});

describe("owned-once", () => {
  test.for([
    { name: "a Pod that is adopted and let go", owners: [[], ["web"], [], ["api"]] },
    { name: "a Pod with two controllers", owners: [["web", "api"]], wrong: /has 2 controllers/ },
    { name: "a Pod that is taken from its owner", owners: [["web"], ["api"]], wrong: /was taken from web/ },
  ])("$name", ({ owners, wrong }) => {
    const { put, violation } = setUp(ownedOnce);
    for (const names of owners) put(pod({ metadata: { ownerReferences: names.map(owner) } }));
    expect(violation() ?? "").toMatch(wrong ?? /^$/);
  });
});

describe("bound-once", () => {
  test.for([
    { name: "a Pod that gets a node and runs", specs: [{}, { nodeName: "a" }], phase: "Running" },
    { name: "a Pod that loses its node", specs: [{ nodeName: "a" }, {}], wrong: /from a to no node/ },
    { name: "a Pod that runs nowhere", specs: [{}], phase: "Running", wrong: /runs without a node/ },
  ])("$name", ({ specs, phase, wrong }) => {
    const { put, violation } = setUp(boundOnce);
    for (const [index, spec] of specs.entries()) {
      const isLast = index === specs.length - 1;
      put(pod({ spec, status: { phase: isLast ? (phase ?? "Pending") : "Pending" } }));
    }
    expect(violation() ?? "").toMatch(wrong ?? /^$/);
  });
});

describe("uid-respected", () => {
  const call = (body: JsonObject, verb: ClientCall["verb"] = "patch"): ClientCall => ({
    verb,
    collection: "pods",
    namespace: "default",
    name: "p",
    body,
  });
  test.for([
    { name: "a patch that reaches whom it means", call: call({ body: { metadata: { uid: "u1" } } }) },
    { name: "a patch without a UID", call: call({ body: {} }) },
    { name: "a patch", call: call({ body: { metadata: { uid: "u0" } } }), wrong: /meant u0/ },
    { name: "a delete", call: call({ preconditions: { uid: "u0" } }, "delete"), wrong: /meant u0/ },
    { name: "a binding", call: call({ uid: "u0" }, "bind"), wrong: /meant u0/ },
  ])("$name", ({ call: made, wrong }) => {
    const { put, observe, violation } = setUp(uidRespected);
    put(pod());
    observe({ kind: "called", by, call: made });
    put(pod(), made);
    expect(violation() ?? "").toMatch(wrong ?? /^$/);
  });
});

describe("no-hot-loop", () => {
  const call: ClientCall = { verb: "update", collection: "pods", name: "p" };
  test.for([
    { name: "many writes in many minutes", writes: 2000, everyMs: 1000 },
    { name: "many writes in one minute", writes: 2000, everyMs: 10, wrong: /replicaset wrote \d+ times/ },
    { name: "many writes in no time", writes: 2000, everyMs: 0, wrong: /replicaset wrote \d+ times/ },
  ])("$name", async ({ writes, everyMs, wrong }) => {
    const { clock, put, violation } = setUp(noHotLoop);
    for (let count = 0; count < writes; count++) {
      put(pod({ status: { count } }), call);
      if (everyMs > 0) await clock.advance(everyMs);
    }
    expect(violation() ?? "").toMatch(wrong ?? /^$/);
  });
});

test("no-hot-loop counts the Pods that have ended within the minute", () => {
  const { store, observe, violation } = setUp(noHotLoop);
  const call: ClientCall = { verb: "update", collection: "pods", name: "p" };
  const write: SimulationObservation = { kind: "failed", by, call, error: undefined };
  observe(write);
  for (const index of Array.from({ length: 40 }).keys())
    store.collection("pods").put(`default/p-${index}`, pod({}, `u${index}`));
  for (const index of Array.from({ length: 40 }).keys())
    store.collection("pods").remove(`default/p-${index}`);
  for (let written = 1; written < 300 + 40 * 20; written++) observe(write);
  expect(violation()).toBeUndefined();
  observe(write);
  expect(violation()).toMatch(/replicaset wrote 1101 times/);
});

describe("counts-reached", () => {
  const labels = { app: "web" };
  const replicaSet = (replicas: number, status: JsonObject): JsonObject => ({
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name: "web", namespace: "default", uid: "web", generation: 1 },
    spec: { replicas, selector: { matchLabels: labels } },
    status: { observedGeneration: 1, ...status },
  });
  const owned = { metadata: { labels, ownerReferences: [owner("web")] } };
  const scheduled = { conditions: [{ type: "PodScheduled", status: "True" }] };
  const placed = { ...owned, spec: { nodeName: "a" }, status: scheduled };
  test.for([
    { name: "as many as wanted", replicas: 1, status: { replicas: 1 }, object: pod(placed) },
    { name: "too few", replicas: 2, status: { replicas: 1 }, object: pod(placed), wrong: /is 1, not 2/ },
    {
      name: "a status that is wrong",
      replicas: 1,
      status: { replicas: 3 },
      object: pod(placed),
      wrong: /status.replicas is 3, not 1/,
    },
    {
      name: "a Pod without a node",
      replicas: 1,
      status: { replicas: 1 },
      object: pod({ ...owned, status: scheduled }),
      wrong: /has a node is false/,
    },
  ])("$name", ({ replicas, status, object, wrong }) => {
    const { store, put, observe, violation } = setUp(countsReached);
    store.collection("replicasets.apps").put("default/web", replicaSet(replicas, status));
    put(object);
    expect(violation()).toBeUndefined();
    observe({ kind: "stable" });
    expect(violation() ?? "").toMatch(wrong ?? /^$/);
  });
});

describe("a Pod that comes to an owner while its controller looks at it", () => {
  const web = {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name: "web", namespace: "default", uid: "web" },
    spec: { replicas: 1, selector: { matchLabels: { app: "web" } } },
  };
  const informers = {
    all: () => [
      { resource: replicaSets, get: () => web },
      { resource: pods, list: () => [], resourceVersion: "1" },
    ],
  } as unknown as NonNullable<Process["informers"]>;
  const looking: Process = { ...by, informers };
  const owned = pod({
    metadata: { labels: { app: "web" }, ownerReferences: [owner("web")], resourceVersion: "2" },
  });

  test.for([
    { name: "by its own patch is counted", references: [owner("web")], isCounted: true },
    { name: "by another owner's release is not", references: [{ $patch: "delete", uid: "api" }] },
  ])("$name", ({ references, isCounted = false }) => {
    const { observe, violation } = setUp(noCreationBeyondShortage);
    const body = { type: "strategic", body: { metadata: { ownerReferences: references } } };
    const adopting = { verb: "patch", collection: "pods", namespace: "default", name: "p", body } as const;
    observe({ kind: "sync-began", by: looking, key: "default/web" });
    observe({ kind: "answered", by: looking, call: adopting, answer: owned });
    observe({ kind: "called", by: looking, call: { verb: "create", collection: "pods", body: owned } });
    expect(violation() !== undefined).toBe(isCounted);
  });
});
