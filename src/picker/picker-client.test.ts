import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../api/feature-gates.ts";
import type { DownscalePodPicker, ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Pod } from "../api/generated/core-v1.ts";
import { downscalePodPickerAnnotation } from "../api/workload-settings.ts";
import { chooseVictims } from "../decisions/downscale/choose-victims.ts";
import type { Facts } from "../decisions/downscale/facts.ts";
import { pickerProgress, type RemovalRequest } from "../decisions/downscale/picker-progress.ts";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../machinery/random/random.ts";
import { collectingLogger } from "../testing/collecting-logger.ts";
import { collectingRecorder } from "../testing/collecting-recorder.ts";
import { testApi } from "../testing/test-api.ts";
import { memoryMetrics } from "../testing/memory-metrics.ts";
import { pod } from "../testing/pod.ts";
import { replicaSet } from "../testing/replica-set.ts";
import { CallLimiter, type CallLimits, defaultCallLimits } from "./call/call-limiter.ts";
import { transientFailure } from "./picker-failure.ts";
import { pickerMetrics } from "./picker-metrics.ts";
import { PickerClient } from "./picker-client.ts";
import { scoringPicker, type SimulatedPicker, simulatedConnector } from "./simulated-picker.ts";

const picker: DownscalePodPicker = { http: { host: "picker", port: 80 }, timeoutSeconds: 2, maxRetries: 1 };
const web = replicaSet("web", { size: 2, picker });
const four = ["a", "b", "c", "d"].map((name) => pod(name));
const facts: Facts = { now: 0, gates: defaultFeatureGates, related: () => 0 };
const pending = { kind: "pending" } as const;
const prefix = "replicaset_controller_downscale_pod_picker";

/** How far asking has come, as a plan finds it from the state of the picker. */
function progressOf(client: PickerClient, owner: ReplicaSet, request: Partial<RemovalRequest>) {
  const asked = { pods: four, count: 2, size: owner.spec.replicas ?? 1, facts, ...request };
  return pickerProgress(client.stateOf(owner, asked.facts.gates), asked);
}

function startClient(simulated: Partial<SimulatedPicker>, limits: Partial<CallLimits> = {}) {
  const clock = new VirtualClock();
  const events = collectingRecorder();
  const metrics = memoryMetrics();
  const log = collectingLogger();
  const asked: string[] = [];
  const enqueued: string[] = [];
  const { pick = () => ({ chosen_pods: ["c"] }), latencyMs = 100 } = simulated;
  const counted: SimulatedPicker = {
    latencyMs,
    pick(question, now) {
      asked.push(`${question.requested} of ${question.candidates.join(" ")}`);
      return pick(question, now);
    },
  };
  const hangs: SimulatedPicker = { latencyMs: 60_000, pick: () => undefined };
  const told = pickerMetrics(metrics);
  const client = new PickerClient({
    client: testApi().client,
    clock,
    random: seededRandom("handing"),
    ...simulatedConnector(
      new Map([
        ["picker", counted],
        ["hangs", hangs],
        ["hangs-too", hangs],
      ]),
      clock,
    ),
    limiter: new CallLimiter({ ...defaultCallLimits, ...limits }),
    events,
    metrics: told,
    onAttempt: told.onAttempt,
    log,
  });
  const stop = client.start({
    add: (key) => void enqueued.push(key),
    addSoon: () => undefined,
    addAfter: () => undefined,
  });
  /** Makes a call or uses an outcome, as the ReplicaSet controller does. */
  const on = (owner = web, pods: readonly Pod[] = four, count = 2) => {
    const progress = progressOf(client, owner, { pods, count });
    if (progress.kind === "not-asked") {
      client.ask(owner, progress);
      return pending;
    }
    if (progress.kind !== "settled") return progress;
    client.settle(owner, progress);
    const { kind, outcome, picks, count: covered } = progress;
    return {
      kind,
      outcome,
      ...(picks !== undefined && { picks }),
      ...(covered !== undefined && { count: covered }),
    };
  };
  return { clock, events, metrics, log, client, on, asked, enqueued, stop };
}

test("the duration of a call is measured by the fine clock, and the record shows whole milliseconds", async () => {
  const { on, clock, metrics } = startClient({});
  Object.assign(clock, { elapsed: () => clock.now() * 1.0004 });
  on();
  await clock.advance(100);
  const [seconds = 0] = metrics.observations(`${prefix}_duration_seconds`, {
    protocol: "http",
    outcome: "Ranked",
  });
  expect(seconds * 1000).toBeCloseTo(100.04, 3);
  expect(on()).toMatchObject({ outcome: { tookMs: 100 } });
});

describe("an answer", () => {
  test("enqueues the ReplicaSet and is used for one decision", async () => {
    const { on, clock, enqueued, asked, events, metrics } = startClient({});
    expect(on()).toEqual(pending);
    expect(on()).toEqual(pending);
    expect(metrics.value(`${prefix}_in_flight`)).toBe(1);
    await clock.advance(100);
    expect(enqueued).toEqual(["default/web"]);
    expect(on()).toEqual({
      kind: "settled",
      count: 2,
      picks: { chosen: new Set(["c"]), tied: new Set() },
      outcome: {
        outcome: "Ranked",
        protocol: "http",
        asked: { requested: 2, candidates: 4 },
        answered: { chosen: 1, tied: 0 },
        ignored: { unknown: 0, duplicate: 0, inBothLists: 0 },
        attempts: 1,
        tookMs: 100,
        used: true,
      },
    });
    expect(asked).toEqual(["2 of a b c d"]);
    expect(events.events).toEqual([]);
    expect(metrics.value(`${prefix}_consultations_total`, { protocol: "http", outcome: "Ranked" })).toBe(1);
    expect(
      metrics.observations(`${prefix}_duration_seconds`, { protocol: "http", outcome: "Ranked" }),
    ).toEqual([0.1]);
    expect(on()).toEqual(pending);
  });

  test("without names leaves the normal order, without an event", async () => {
    const { on, clock, events } = startClient({ pick: () => ({ chosen_pods: [] }) });
    on();
    await clock.advance(100);
    const settled = on();
    expect(settled).toMatchObject({ kind: "settled", outcome: { outcome: "Empty", used: false } });
    expect(settled).not.toHaveProperty("picks");
    expect(events.events).toEqual([]);
  });

  test("is used without names that are not candidates, which an event counts", async () => {
    const { on, clock, events, metrics } = startClient({
      pick: () => ({ chosen_pods: ["elsewhere/x", "a", "a"] }),
    });
    on();
    await clock.advance(100);
    expect(on()).toMatchObject({ picks: { chosen: new Set(["a"]) } });
    expect(events.events).toMatchObject([
      {
        type: "Warning",
        reason: "DownscalePodPickerInvalidResponse",
        message: "pod picker named 1 pod(s) that are not candidates; the others were used",
        regarding: { kind: "ReplicaSet", name: "web" },
      },
    ]);
    expect(metrics.value(`${prefix}_ignored_pods_total`, { reason: "unknown" })).toBe(1);
    expect(metrics.value(`${prefix}_ignored_pods_total`, { reason: "duplicate" })).toBe(1);
  });

  test("applies to fewer Pods than requested, but not to other Pods", async () => {
    const { on, clock } = startClient({});
    on();
    await clock.advance(100);
    expect(on(web, four.slice(0, 3), 1)).toMatchObject({ kind: "settled" });
    on();
    await clock.advance(100);
    expect(on(web, [...four, pod("e")], 2)).toEqual(pending);
  });

  test("applies to the Pods it was asked about when more have to go, and no others", async () => {
    const { on, clock, asked } = startClient({});
    on();
    const smaller = replicaSet("web", { size: 1, picker, generation: 2 });
    expect(on(smaller, four, 3)).toEqual(pending);
    await clock.advance(100);
    expect(on(smaller, four, 3)).toMatchObject({
      kind: "settled",
      count: 2,
      picks: { chosen: new Set(["c"]) },
    });
    expect(asked).toEqual(["2 of a b c d"]);
    expect(on(smaller, four.slice(0, 2), 1)).toEqual(pending);
    await clock.advance(100);
    expect(asked).toEqual(["2 of a b c d", "1 of a b"]);
  });

  test("applies, for one less, when one of the Pods is selected by another rule", async () => {
    const { on, clock } = startClient({});
    on();
    await clock.advance(100);
    const unready = pod("c", { ready: false });
    const settled = on(web, four.with(2, unready));
    expect(settled).toMatchObject({ kind: "settled", outcome: { outcome: "Ranked", used: true } });
  });

  test("for a smaller size is discarded, and the picker called again", async () => {
    const { on, clock, asked } = startClient({});
    on();
    await clock.advance(100);
    expect(on(replicaSet("web", { size: 3, picker, generation: 2 }), four, 1)).toEqual(pending);
    expect(asked).toHaveLength(1);
    await clock.advance(100);
    expect(asked).toHaveLength(2);
  });

  test("of another picker is discarded, also if an annotation names the picker", async () => {
    const { on, clock, asked } = startClient({});
    const named = (maxRetries: number) => annotated(JSON.stringify({ ...picker, maxRetries }));
    on(named(1));
    await clock.advance(100);
    expect(on(named(2))).toEqual(pending);
    await clock.advance(100);
    expect(on(named(2))).toMatchObject({ outcome: { outcome: "Ranked" } });
    expect(asked).toHaveLength(2);
  });

  test("expires", async () => {
    const { on, clock } = startClient({});
    on();
    await clock.advance(40_000);
    expect(on()).toMatchObject({ kind: "settled", outcome: { outcome: "Failed", class: "Timeout" } });
  });
});

describe("no picker is called", () => {
  test.for([
    { name: "without a picker", owner: replicaSet("web", { size: 2 }) },
    { name: "with the gate off", owner: web, gates: { ...defaultFeatureGates, DownscalePodPicker: false } },
  ])("$name", async ({ owner, gates = defaultFeatureGates }) => {
    const { client, asked, clock } = startClient({});
    const request = { pods: four, count: 2, facts: { ...facts, gates } };
    expect(progressOf(client, owner, request)).toEqual({ kind: "none" });
    await clock.advance(1000);
    expect(asked).toEqual([]);
  });

  test.for([
    {
      name: "other rules select enough Pods",
      pods: [...four, pod("x", { ready: false }), pod("y", { ready: false })],
    },
    {
      name: "a rule above decides",
      pods: four.map(({ metadata: { name } }, i) => pod(name, { deletionCost: i })),
    },
    {
      name: "the remaining Pods are not running",
      pods: four.map(({ metadata: { name } }) => pod(name, { ready: false })),
    },
  ])("when $name, and that goes on record", async ({ pods }) => {
    const { on, asked, clock, metrics } = startClient({});
    const outcome = { outcome: "NotNeeded", protocol: "http", used: false };
    expect(on(web, pods)).toEqual({ kind: "settled", outcome });
    await clock.advance(1000);
    expect(asked).toEqual([]);
    const labels = { protocol: "http", outcome: "NotNeeded" };
    expect(metrics.value(`${prefix}_consultations_total`, labels)).toBe(1);
    expect(metrics.observations(`${prefix}_duration_seconds`, labels)).toEqual([]);
  });

  test("any longer when another rule decides meanwhile", async () => {
    const { on, client, clock, enqueued } = startClient({});
    expect(on()).toEqual(pending);
    const ending = ["a", "b"].map((name) => pod(name, { ready: false }));
    expect(on(web, [...ending, ...four.slice(2)])).toMatchObject({ outcome: { outcome: "NotNeeded" } });
    expect(client.inFlight()).toBe(0);
    await clock.advance(5000);
    expect(enqueued).toEqual([]);
  });

  test.for([
    { name: "that the API server would reject", owner: replicaSet("web", { picker: { maxRetries: 3 } }) },
    { name: "in an annotation that is not JSON", owner: annotated("{") },
    {
      name: "in an annotation that is not a valid picker",
      owner: annotated('{"http":{"host":"picker","port":{}}}'),
    },
  ])("by a picker $name", ({ owner }) => {
    const { on, events } = startClient({});
    expect(on(owner)).toMatchObject({ kind: "settled", outcome: { class: "InvalidConfig", attempts: 0 } });
    expect(events.events).toHaveLength(1);
  });
});

test("an annotation sets a picker where the API server has no such field, with the same defaults", async () => {
  const { on, clock, asked } = startClient({});
  const owner = annotated('{"http":{"host":"picker","port":80}}');
  expect(on(owner)).toEqual(pending);
  await clock.advance(100);
  expect(on(owner)).toMatchObject({ kind: "settled", outcome: { outcome: "Ranked" } });
  expect(asked).toHaveLength(1);
});

describe("time", () => {
  test("a call that exceeds the timeout is aborted, with one event", async () => {
    const { on, clock, events, enqueued } = startClient({ latencyMs: 60_000 });
    on();
    await clock.advance(1999);
    expect(enqueued).toEqual([]);
    await clock.advance(1);
    expect(enqueued).toEqual(["default/web"]);
    expect(on()).toMatchObject({ kind: "settled", outcome: { class: "Timeout", tookMs: 2000 } });
    expect(events.events.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
      "DownscalePodPickerFailed: pod picker not used (Timeout, 1 attempt(s)); falling back to default pod selection",
    ]);
  });

  test("a workload whose size keeps rising gets no more of it than its timeout", async () => {
    const { on, clock } = startClient({ latencyMs: 60_000 });
    const many = Array.from({ length: 9 }, (_, i) => pod(`p${i}`));
    for (let size = 1; size <= 4; size++) {
      expect(on(replicaSet("web", { picker, size }), many, 9 - size)).toEqual(pending);
      await clock.advance(500);
    }
    expect(on(replicaSet("web", { picker, size: 5 }), many, 4)).toMatchObject({
      outcome: { class: "Timeout" },
    });
  });

  test("a failed outcome applies whatever has changed", async () => {
    const { on, clock } = startClient({ pick: () => transientFailure("Refused", { code: "HTTP 503" }) });
    on();
    await clock.advance(1000);
    expect(on(replicaSet("web", { picker, generation: 9 }), [...four, pod("e")])).toMatchObject({
      outcome: { outcome: "Failed", class: "Refused", code: "HTTP 503", attempts: 2 },
    });
  });

  test("waiting for a slot counts as well", async () => {
    const { on, clock, events } = startClient({ latencyMs: 60_000 }, { perAddress: 1 });
    on(replicaSet("patient", { picker: { ...picker, timeoutSeconds: 5 } }));
    on(replicaSet("other", { picker }));
    await clock.advance(2000);
    expect(on(replicaSet("other", { picker }))).toMatchObject({ outcome: { class: "Saturated" } });
    expect(events.events).toHaveLength(1);
  });
});

test("an internal error is logged, and the normal order decides", async () => {
  const error = new TypeError("not a function");
  const broken = () => {
    throw error;
  };
  const { on, clock, log } = startClient({ pick: broken });
  on();
  await clock.advance(100);
  expect(on()).toMatchObject({ outcome: { outcome: "Failed", class: "ConnectionFailed", tookMs: 100 } });
  const errors = log.entries.filter(({ level }) => level === "error");
  expect(errors).toMatchObject([{ fields: { key: "default/web", error } }]);
});

test("a call that has ended releases its slot", async () => {
  const { on, clock, asked } = startClient({}, { total: 1 });
  for (let call = 0; call < 3; call++) {
    on();
    await clock.advance(100);
    expect(on()).toMatchObject({ outcome: { outcome: "Ranked" } });
  }
  expect(asked).toHaveLength(3);
});

describe("limits", () => {
  const inNamespace = (namespace: string, name = "web") => replicaSet(name, { picker, namespace });

  test("sixty workloads of one namespace that hang leave room for another namespace", async () => {
    const { on, clock } = startClient({});
    const hanging = { ...picker, http: { host: "hangs", port: 80 } };
    for (let i = 0; i < 60; i++) on(replicaSet(`web-${i}`, { picker: hanging, namespace: "greedy" }));
    on(inNamespace("modest"));
    await clock.advance(100);
    expect(on(inNamespace("modest"))).toMatchObject({ outcome: { outcome: "Ranked" } });
  });

  test("sixty workloads of as many namespaces that wait for one address leave room for another", async () => {
    const { on, clock } = startClient({});
    for (let i = 0; i < 60; i++) {
      const host = i % 2 === 0 ? "hangs" : "hangs-too";
      on(replicaSet("web", { picker: { ...picker, http: { host, port: 80 } }, namespace: `greedy-${i}` }));
    }
    on(inNamespace("modest"));
    await clock.advance(100);
    expect(on(inNamespace("modest"))).toMatchObject({ outcome: { outcome: "Ranked" } });
  });

  test("of thirty workloads with one picker that hangs, those never sent are Saturated, not Timeout", async () => {
    const { on, clock } = startClient({ latencyMs: 60_000 }, { perNamespace: 30 });
    const all = Array.from({ length: 30 }, (_, i) => inNamespace("default", `web-${i}`));
    for (const owner of all) on(owner);
    await clock.advance(2000);
    const outcomes = all.map((owner) => on(owner)).map((settled) => JSON.stringify(settled));
    const count = (text: string) => outcomes.filter((outcome) => outcome.includes(text)).length;
    expect([count('"Timeout"'), count('"Saturated"')]).toEqual([10, 20]);
    expect(count('"attempts":0')).toBe(20);
  });
});

describe("a call is cancelled when", () => {
  test("the controller dismisses it before the first attempt", async () => {
    const { on, client, clock, enqueued, asked } = startClient({});
    on();
    client.dismiss("default/web");
    expect(client.inFlight()).toBe(0);
    await clock.advance(5000);
    expect({ enqueued, asked }).toEqual({ enqueued: [], asked: [] });
  });

  test("the controller dismisses it, which does not count as a timeout", async () => {
    const { on, client, clock, metrics } = startClient({ latencyMs: 60_000 });
    const timeouts = () => metrics.value(`${prefix}_attempts_total`, { protocol: "http", result: "Timeout" });
    on();
    await clock.advance(100);
    client.dismiss("default/web");
    await clock.advance(5000);
    expect(timeouts()).toBe(0);
    on();
    await clock.advance(2000);
    expect(timeouts()).toBe(1);
  });

  test("another ReplicaSet has the name", async () => {
    const { on, clock } = startClient({});
    on();
    await clock.advance(100);
    expect(on(replicaSet("web", { picker, uid: "another" }))).toEqual(pending);
  });

  test("the controller stops", async () => {
    const { on, stop, client, clock, enqueued } = startClient({});
    on();
    stop();
    expect(client.inFlight()).toBe(0);
    await clock.advance(5000);
    expect(enqueued).toEqual([]);
  });
});

describe("cost or picker, not both:", () => {
  const labels = { "kubernetes.io/prefer-for-scale-down": "" };
  test.for([
    { name: "different costs", pods: [...four, pod("e", { deletionCost: 5 })], told: 1 },
    { name: "some Pods with the label", pods: [...four, pod("e", { labels })], told: 1 },
    {
      name: "the same cost everywhere",
      pods: four.map(({ metadata }) => pod(metadata.name, { deletionCost: 5 })),
      told: 0,
    },
    {
      name: "a cost on a Pod that another rule selects",
      pods: [...four, pod("e", { ready: false, deletionCost: 5 })],
      told: 0,
    },
  ])("$name", async ({ pods, told }) => {
    const { on, clock, events } = startClient({});
    on(web, pods);
    on(web, pods);
    await clock.advance(100);
    on(web, pods);
    expect(events.events.map(({ reason }) => reason)).toEqual(Array(told).fill("DownscalePodPickerConflict"));
  });
});

test("workloads with a picker are counted by protocol, a Deployment once", () => {
  const metrics = memoryMetrics();
  const grpc: DownscalePodPicker = { grpc: { host: "picker", port: 80 } };
  const owned = { picker, owner: "shop" };
  const all = [
    replicaSet("a", owned),
    replicaSet("b", owned),
    replicaSet("c", { picker: grpc }),
    replicaSet("d"),
  ];
  pickerMetrics(metrics).observeWorkloads(() => all);
  const count = (protocol: string) => metrics.value("trimtab_workloads_with_pod_picker", { protocol });
  expect([count("http"), count("grpc")]).toEqual([1, 1]);
});

test("a scoring picker chooses the lowest scores and ties equal ones", () => {
  const scores = new Map([
    ["a", 3],
    ["b", 1],
    ["c", 2],
    ["d", 2],
  ]);
  const picked = scoringPicker((name) => scores.get(name) ?? 0).pick(
    { requested: 2, candidates: ["a", "b", "c", "d"] },
    0,
  );
  expect(picked).toEqual({ chosen_pods: ["b"], tied_pods: ["c", "d"] });
});

test("whatever a picker answers, exactly the surplus of these Pods is deleted", async () => {
  const names = fc.array(fc.oneof(fc.constantFrom("a", "b", "c", "d", "__proto__"), fc.string()));
  const answers = fc.oneof(fc.record({ chosen_pods: names, tied_pods: names }), fc.anything());
  await fc.assert(
    fc.asyncProperty(answers, fc.integer({ min: 1, max: 3 }), async (answer, count) => {
      const { on, clock } = startClient({ pick: () => answer });
      on(web, four, count);
      await clock.advance(2000);
      const settled = on(web, four, count);
      if (settled.kind !== "settled") throw new Error(`still ${settled.kind}`);
      const { picks } = settled;
      const { victims } = chooseVictims(four, count, picks === undefined ? facts : { ...facts, picks });
      expect(victims).toHaveLength(count);
      for (const victim of victims) expect(four).toContain(victim.pod);
      JSON.stringify(settled.outcome);
    }),
    { numRuns: 50 },
  );
});

function annotated(text: string) {
  return replicaSet("web", { size: 2, annotations: { [downscalePodPickerAnnotation]: text } });
}
