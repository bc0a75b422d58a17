import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../api/feature-gates.ts";
import type { DownscalePodPicker } from "../api/generated/apps-v1.ts";
import type { Pod } from "../api/generated/core-v1.ts";
import { downscalePodPickerAnnotation } from "../api/workload-settings.ts";
import { chooseVictims } from "../decisions/downscale/choose-victims.ts";
import type { Facts } from "../decisions/downscale/facts.ts";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../machinery/random/random.ts";
import { collectingLogger } from "../testing/collecting-logger.ts";
import { collectingRecorder } from "../testing/collecting-recorder.ts";
import { ScriptedApi } from "../testing/scripted-api.ts";
import { memoryMetrics } from "../testing/memory-metrics.ts";
import { pod } from "../testing/pod.ts";
import { replicaSet } from "../testing/replica-set.ts";
import { transientFailure } from "./picker-failure.ts";
import { pickerMetrics } from "./picker-metrics.ts";
import { PickerClient } from "./picker-client.ts";
import { scoringPicker, type SimulatedPicker, simulatedConnector } from "./simulated-picker.ts";
import { type ConcurrencyLimits, ConcurrencyLimiter } from "./concurrency-limiter.ts";

const picker: DownscalePodPicker = { http: { host: "picker", port: 80 }, timeoutSeconds: 2, maxRetries: 1 };
const web = replicaSet("web", { size: 2, picker });
const four = ["a", "b", "c", "d"].map((name) => pod(name));
const facts: Facts = { now: 0, gates: defaultFeatureGates, related: () => 0 };
const pending = { kind: "pending" } as const;
const prefix = "replicaset_controller_downscale_pod_picker";

function handing(simulated: Partial<SimulatedPicker>, limits?: ConcurrencyLimits) {
  const clock = new VirtualClock();
  const events = collectingRecorder();
  const metrics = memoryMetrics();
  const log = collectingLogger();
  const asked: string[] = [];
  const woken: string[] = [];
  const { pick = () => ({ chosen_pods: ["c"] }), latencyMs = 100 } = simulated;
  const counted: SimulatedPicker = {
    latencyMs,
    pick(question, now) {
      asked.push(`${question.requested} of ${question.candidates.join(" ")}`);
      return pick(question, now);
    },
  };
  const told = pickerMetrics(metrics);
  const consultations = new PickerClient({
    client: new ScriptedApi(),
    clock,
    random: seededRandom("handing"),
    ...simulatedConnector(new Map([["picker", counted]]), clock),
    limiter: new ConcurrencyLimiter(limits),
    events,
    metrics: told,
    onAttempt: told.onAttempt,
    log,
  });
  const unfeed = consultations.start({ add: (key) => void woken.push(key), addAfter: () => undefined });
  /** Asks or uses an answer, as the ReplicaSet controller does. */
  const on = (owner = web, pods: readonly Pod[] = four, count = 2) => {
    const progress = consultations.progressOf(owner, { pods, count, facts });
    if (progress.kind === "not-asked") {
      consultations.ask(owner, progress);
      return pending;
    }
    if (progress.kind !== "settled") return progress;
    consultations.settle(owner, progress);
    const { kind, outcome, picks } = progress;
    return picks === undefined ? { kind, outcome } : { kind, outcome, picks };
  };
  return { clock, events, metrics, log, consultations, on, asked, woken, unfeed };
}

describe("an answer", () => {
  test("wakes the ReplicaSet, decides once, and is forgotten", async () => {
    const { on, clock, woken, asked, events, metrics } = handing({});
    expect(on()).toEqual(pending);
    expect(on()).toEqual(pending);
    expect(metrics.value(`${prefix}_in_flight`)).toBe(1);
    await clock.advance(100);
    expect(woken).toEqual(["default/web"]);
    expect(on()).toEqual({
      kind: "settled",
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

  test("that is empty leaves the normal order, and is no event", async () => {
    const { on, clock, events } = handing({ pick: () => ({ chosen_pods: [] }) });
    on();
    await clock.advance(100);
    const settled = on();
    expect(settled).toMatchObject({ kind: "settled", outcome: { outcome: "Empty", used: false } });
    expect(settled).not.toHaveProperty("picks");
    expect(events.events).toEqual([]);
  });

  test("with names of others is used without them, and told of in numbers", async () => {
    const { on, clock, events, metrics } = handing({
      pick: () => ({ chosen_pods: ["elsewhere/x", "a", "a"] }),
    });
    on();
    await clock.advance(100);
    expect(on()).toMatchObject({ picks: { chosen: new Set(["a"]) } });
    expect(events.events).toMatchObject([
      {
        type: "Warning",
        reason: "DownscalePodPickerInvalidResponse",
        message: "pod picker named 1 pod(s) it was not asked about; the rest was used",
        regarding: { kind: "ReplicaSet", name: "web" },
      },
    ]);
    expect(metrics.value(`${prefix}_ignored_pods_total`, { reason: "unknown" })).toBe(1);
    expect(metrics.value(`${prefix}_ignored_pods_total`, { reason: "duplicate" })).toBe(1);
  });

  test("is used for fewer Pods than it was given for, but not for others or more", async () => {
    const { on, clock } = handing({});
    on();
    await clock.advance(100);
    expect(on(web, four.slice(0, 3), 1)).toMatchObject({ kind: "settled" });
    on();
    await clock.advance(100);
    expect(on(web, [...four, pod("e")], 2)).toEqual(pending);
    await clock.advance(100);
    expect(on(web, four, 3)).toEqual(pending);
  });

  test("is used when one of the Pods goes anyway by now, for one less", async () => {
    const { on, clock } = handing({});
    on();
    await clock.advance(100);
    const unready = pod("c", { ready: false });
    const settled = on(web, four.with(2, unready));
    expect(settled).toMatchObject({ kind: "settled", outcome: { outcome: "Ranked", used: true } });
  });

  test("for an earlier generation is asked for again", async () => {
    const { on, clock, asked } = handing({});
    on();
    await clock.advance(100);
    expect(on(replicaSet("web", { size: 2, picker, generation: 2 }))).toEqual(pending);
    expect(asked).toHaveLength(1);
    await clock.advance(100);
    expect(asked).toHaveLength(2);
  });

  test("for another picker is asked for again, also where only an annotation names it", async () => {
    const { on, clock, asked } = handing({});
    const named = (maxRetries: number) => annotated(JSON.stringify({ ...picker, maxRetries }));
    on(named(1));
    await clock.advance(100);
    expect(on(named(2))).toEqual(pending);
    await clock.advance(100);
    expect(on(named(2))).toMatchObject({ outcome: { outcome: "Ranked" } });
    expect(asked).toHaveLength(2);
  });

  test("does not keep", async () => {
    const { on, clock } = handing({});
    on();
    await clock.advance(40_000);
    expect(on()).toMatchObject({ kind: "settled", outcome: { outcome: "Failed", class: "Timeout" } });
  });
});

describe("nobody is asked", () => {
  test.for([
    { name: "without a picker", owner: replicaSet("web", { size: 2 }) },
    { name: "with the gate off", owner: web, gates: { ...defaultFeatureGates, DownscalePodPicker: false } },
  ])("$name", async ({ owner, gates = defaultFeatureGates }) => {
    const { consultations, asked, clock } = handing({});
    const request = { pods: four, count: 2, facts: { ...facts, gates } };
    expect(consultations.progressOf(owner, request)).toEqual({ kind: "none" });
    await clock.advance(1000);
    expect(asked).toEqual([]);
  });

  test.for([
    { name: "enough go anyway", pods: [...four, pod("x", { ready: false }), pod("y", { ready: false })] },
    {
      name: "a rule above decides",
      pods: four.map(({ metadata: { name } }, i) => pod(name, { deletionCost: i })),
    },
    {
      name: "those that are left do not run",
      pods: four.map(({ metadata: { name } }) => pod(name, { ready: false })),
    },
  ])("when $name, and that goes on record", async ({ pods }) => {
    const { on, asked, clock, metrics } = handing({});
    const outcome = { outcome: "NotNeeded", protocol: "http", used: false };
    expect(on(web, pods)).toEqual({ kind: "settled", outcome });
    await clock.advance(1000);
    expect(asked).toEqual([]);
    const labels = { protocol: "http", outcome: "NotNeeded" };
    expect(metrics.value(`${prefix}_consultations_total`, labels)).toBe(1);
    expect(metrics.observations(`${prefix}_duration_seconds`, labels)).toEqual([]);
  });

  test("any longer, when what was open is decided meanwhile", async () => {
    const { on, consultations, clock, woken } = handing({});
    expect(on()).toEqual(pending);
    const ending = ["a", "b"].map((name) => pod(name, { ready: false }));
    expect(on(web, [...ending, ...four.slice(2)])).toMatchObject({ outcome: { outcome: "NotNeeded" } });
    expect(consultations.inFlight()).toBe(0);
    await clock.advance(5000);
    expect(woken).toEqual([]);
  });

  test.for([
    { name: "that the API would have refused", owner: replicaSet("web", { picker: { maxRetries: 3 } }) },
    { name: "in an annotation that is not JSON", owner: annotated("{") },
    { name: "in an annotation that is no picker", owner: annotated('{"http":{"host":"picker","port":{}}}') },
  ])("by a picker $name", ({ owner }) => {
    const { on, events } = handing({});
    expect(on(owner)).toMatchObject({ kind: "settled", outcome: { class: "InvalidConfig", attempts: 0 } });
    expect(events.events).toHaveLength(1);
  });
});

test("where the API server has no such field, a picker is an annotation, with the same defaults", async () => {
  const { on, clock, asked } = handing({});
  const owner = annotated('{"http":{"host":"picker","port":80}}');
  expect(on(owner)).toEqual(pending);
  await clock.advance(100);
  expect(on(owner)).toMatchObject({ kind: "settled", outcome: { outcome: "Ranked" } });
  expect(asked).toHaveLength(1);
});

describe("time", () => {
  test("a picker that takes longer than it may is left, with one event", async () => {
    const { on, clock, events, woken } = handing({ latencyMs: 60_000 });
    on();
    await clock.advance(1999);
    expect(woken).toEqual([]);
    await clock.advance(1);
    expect(woken).toEqual(["default/web"]);
    expect(on()).toMatchObject({ kind: "settled", outcome: { class: "Timeout", tookMs: 2000 } });
    expect(events.events.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
      "DownscalePodPickerFailed: pod picker not used (Timeout, 1 attempt(s)); falling back to default pod selection",
    ]);
  });

  test("a workload that keeps changing gets no more of it", async () => {
    const { on, clock } = handing({ latencyMs: 60_000 });
    for (let generation = 1; generation <= 4; generation++) {
      expect(on(replicaSet("web", { picker, generation }))).toEqual(pending);
      await clock.advance(500);
    }
    expect(on(replicaSet("web", { picker, generation: 5 }))).toMatchObject({ outcome: { class: "Timeout" } });
  });

  test("a failure is used whatever has changed", async () => {
    const { on, clock } = handing({ pick: () => transientFailure("Refused", { code: "HTTP 503" }) });
    on();
    await clock.advance(1000);
    expect(on(replicaSet("web", { picker, generation: 9 }), [...four, pod("e")])).toMatchObject({
      outcome: { outcome: "Failed", class: "Refused", code: "HTTP 503", attempts: 2 },
    });
  });

  test("waiting for others uses it up as well", async () => {
    const { on, clock, events } = handing({ latencyMs: 60_000 }, { total: 5, perHost: 1 });
    on(replicaSet("patient", { picker: { ...picker, timeoutSeconds: 5 } }));
    on(replicaSet("other", { picker }));
    await clock.advance(2000);
    expect(on(replicaSet("other", { picker }))).toMatchObject({ outcome: { class: "Saturated" } });
    expect(events.events).toHaveLength(1);
  });
});

test("what breaks on our side is no timeout: it is logged, and the normal order holds", async () => {
  const error = new TypeError("not a function");
  const broken = () => {
    throw error;
  };
  const { on, clock, log } = handing({ pick: broken });
  on();
  await clock.advance(100);
  expect(on()).toMatchObject({ outcome: { outcome: "Failed", class: "ConnectionFailed", tookMs: 100 } });
  const errors = log.entries.filter(({ level }) => level === "error");
  expect(errors).toMatchObject([{ fields: { key: "default/web", error } }]);
});

test("a call that has ended makes room for the next", async () => {
  const { on, clock, asked } = handing({}, { total: 1, perHost: 1 });
  for (let call = 0; call < 3; call++) {
    on();
    await clock.advance(100);
    expect(on()).toMatchObject({ outcome: { outcome: "Ranked" } });
  }
  expect(asked).toHaveLength(3);
});

test("pickers of the same name in different namespaces do not take each other's place", async () => {
  const { on, clock } = handing({ latencyMs: 1500 }, { total: 5, perHost: 1 });
  const here = replicaSet("web", { picker });
  const there = replicaSet("web", { picker, namespace: "elsewhere" });
  on(here);
  on(there);
  await clock.advance(1500);
  expect([on(here), on(there)]).toMatchObject([
    { outcome: { outcome: "Ranked" } },
    { outcome: { outcome: "Ranked" } },
  ]);
});

describe("what nobody needs any more is void:", () => {
  test("it is dismissed", async () => {
    const { on, consultations, clock, woken, asked } = handing({});
    on();
    consultations.dismiss("default/web");
    expect(consultations.inFlight()).toBe(0);
    await clock.advance(5000);
    expect({ woken, asked }).toEqual({ woken: [], asked: [] });
  });

  test("and is not counted as a picker that took too long", async () => {
    const { on, consultations, clock, metrics } = handing({ latencyMs: 60_000 });
    const timeouts = () => metrics.value(`${prefix}_attempts_total`, { protocol: "http", result: "Timeout" });
    on();
    await clock.advance(100);
    consultations.dismiss("default/web");
    await clock.advance(5000);
    expect(timeouts()).toBe(0);
    on();
    await clock.advance(2000);
    expect(timeouts()).toBe(1);
  });

  test("the ReplicaSet is another one of that name", async () => {
    const { on, clock } = handing({});
    on();
    await clock.advance(100);
    expect(on(replicaSet("web", { picker, uid: "another" }))).toEqual(pending);
  });

  test("the controller ends", async () => {
    const { on, unfeed, consultations, clock, woken } = handing({});
    on();
    unfeed();
    expect(consultations.inFlight()).toBe(0);
    await clock.advance(5000);
    expect(woken).toEqual([]);
  });
});

describe("cost or picker, not both:", () => {
  const labels = { "kubernetes.io/prefer-for-scale-down": "" };
  test.for([
    { name: "costs that differ", pods: [...four, pod("e", { deletionCost: 5 })], told: 1 },
    { name: "some with the label", pods: [...four, pod("e", { labels })], told: 1 },
    {
      name: "the same cost everywhere",
      pods: four.map(({ metadata }) => pod(metadata.name, { deletionCost: 5 })),
      told: 0,
    },
    {
      name: "a cost on a Pod that goes anyway",
      pods: [...four, pod("e", { ready: false, deletionCost: 5 })],
      told: 0,
    },
  ])("$name", async ({ pods, told }) => {
    const { on, clock, events } = handing({});
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

test("a picker that scores Pods chooses the lowest and ties the equal", () => {
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

test("whatever a picker answers, exactly the surplus goes, and only of these Pods", async () => {
  const names = fc.array(fc.oneof(fc.constantFrom("a", "b", "c", "d", "__proto__"), fc.string()));
  const answers = fc.oneof(fc.record({ chosen_pods: names, tied_pods: names }), fc.anything());
  await fc.assert(
    fc.asyncProperty(answers, fc.integer({ min: 1, max: 3 }), async (answer, count) => {
      const { on, clock } = handing({ pick: () => answer });
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
