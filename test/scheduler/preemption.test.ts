import { describe, expect, test } from "vitest";
import { findCondition } from "../../src/api/conditions.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { nodes, podDisruptionBudgets, pods, priorityClasses, replicaSets } from "../../src/api/resources.ts";
import { apiFailure } from "../../src/machinery/client/api-error.ts";
import { template } from "../deployment/builders.ts";
import {
  nodeDraft,
  podDraft,
  type PodDraft,
  type SchedulerFixture,
  type SchedulerFixtureOptions,
  startSchedulerFixture,
} from "./fixture.ts";

/** A node whose Pods are run. */
const machine = (name: string, { cpu }: { readonly cpu: string }) =>
  nodeDraft(name, { cpu, labels: { "sim.trimtab.dev/node": "true" } });

const classes = { low: 1, medium: 50, high: 100 } as const;
type Class = keyof typeof classes;

/** A whole cluster with priority classes; Pods take three seconds to end. */
async function start(options: SchedulerFixtureOptions): Promise<SchedulerFixture> {
  const fixture = await startSchedulerFixture({ withControllers: true, ...options });
  for (const [name, value] of Object.entries(classes))
    await fixture.client.create(priorityClasses, { metadata: { name }, value });
  const patient = { metadata: { name: "patient" }, value: 100, preemptionPolicy: "Never" };
  await fixture.client.create(priorityClasses, patient);
  return fixture;
}

interface Wish {
  readonly name: string;
  readonly class: Class | "patient";
  readonly cpu: string;
  readonly spec?: Partial<Pod["spec"]>;
  readonly labels?: PodDraft["labels"];
}

function draftOf({ name, class: priorityClassName, cpu, spec, labels }: Wish) {
  const containers = [{ name: "app", image: "app:1", resources: { requests: { cpu } } }];
  const annotations = { "sim.trimtab.dev/terminationDelay": "3s" };
  return podDraft(name, {
    metadata: { annotations },
    spec: { containers, priorityClassName, ...spec },
    ...(labels && { labels }),
  });
}

async function create(fixture: SchedulerFixture, ...wishes: readonly Wish[]): Promise<void> {
  for (const wish of wishes) await fixture.client.create(pods, draftOf(wish));
  await fixture.clock.advance(500);
}

const oneNode = [machine("n", { cpu: "4" })];

describe("a Pod that finds no room", () => {
  test("is nominated, its victim ends with its grace period, and then it runs there", async () => {
    const fixture = await start({ nodes: oneNode });
    const { clock, pod, eventsOf, metrics } = fixture;
    await create(fixture, { name: "low", class: "low", cpu: "4" });
    await create(fixture, { name: "high", class: "high", cpu: "3" });

    const [victim, waiting] = [await pod("low"), await pod("high")];
    expect(waiting.status?.nominatedNodeName).toBe("n");
    expect(waiting.spec.nodeName).toBeUndefined();
    expect(findCondition(waiting.status?.conditions, "PodScheduled")?.message).toBe(
      "0/1 nodes are available: 1 Insufficient cpu.",
    );
    expect(victim.metadata.deletionGracePeriodSeconds).toBe(30);
    expect(findCondition(victim.status?.conditions, "DisruptionTarget")).toMatchObject({
      status: "True",
      observedGeneration: 1,
      reason: "PreemptionByScheduler",
      message: "default-scheduler: preempting to accommodate a higher priority pod",
    });
    const [record] = fixture.records.find({ name: "high" });
    expect(record?.preemption).toBe(
      "preempts pod default/low (priority 1) on node n: the only node where preemption helps",
    );

    await clock.advance(10_000);
    const placed = await pod("high");
    expect([placed.spec.nodeName, placed.status?.nominatedNodeName]).toEqual(["n", undefined]);
    expect((await eventsOf("low")).find(({ reason }) => reason === "Preempted")).toMatchObject({
      type: "Normal",
      action: "Preempting",
      message: `Preempted by pod ${placed.metadata.uid} on node n`,
      related: { name: "high" },
    });
    expect(metrics.value("scheduler_preemption_attempts_total")).toBe(1);
    expect(metrics.observations("scheduler_preemption_victims")).toEqual([1]);
    expect(metrics.value("scheduler_preemption_goroutines_execution_total", { result: "success" })).toBe(1);
    expect(fixture.log.entries).toEqual([]);
  });

  test("waits for victims that are leaving instead of choosing others", async () => {
    const fixture = await start({ nodes: [machine("n", { cpu: "4" }), machine("m", { cpu: "4" })] });
    await create(
      fixture,
      { name: "a", class: "low", cpu: "4" },
      { name: "b", class: "low", cpu: "4" },
      { name: "high", class: "high", cpu: "4" },
    );
    // Another Pod ends, which has the waiting one tried again.
    await create(fixture, { name: "other", class: "low", cpu: "1" });
    await fixture.client.delete(pods, { namespace: "default", name: "other" }, { gracePeriodSeconds: 0 });
    await fixture.clock.advance(20_000);
    const left = await fixture.places();
    expect(Object.keys(left).filter((name) => ["a", "b"].includes(name))).toHaveLength(1);
    expect(left["high"]).toBeDefined();
  });

  test("with the policy Never preempts nothing, and says so", async () => {
    const fixture = await start({ nodes: oneNode });
    await create(fixture, { name: "low", class: "low", cpu: "4" });
    await create(fixture, { name: "patient", class: "patient", cpu: "3" });
    await fixture.clock.advance(30_000);
    expect(await fixture.places()).toEqual({ low: "n", patient: undefined });
    const { status } = await fixture.pod("patient");
    expect(findCondition(status?.conditions, "PodScheduled")?.message).toBe(
      "0/1 nodes are available: 1 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.",
    );
  });

  test("preempts nothing in a profile without DefaultPreemption", async () => {
    const config = `
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{plugins: {postFilter: {disabled: [{name: DefaultPreemption}]}}}]
`;
    const fixture = await start({ nodes: oneNode, config });
    await create(fixture, { name: "low", class: "low", cpu: "4" });
    await create(fixture, { name: "high", class: "high", cpu: "3" });
    await fixture.clock.advance(30_000);
    expect(await fixture.places()).toEqual({ low: "n", high: undefined });
    expect(fixture.metrics.value("scheduler_preemption_attempts_total")).toBe(0);
  });
});

describe("the room that preemption makes", () => {
  test("is not taken by the Pods that replace the victims", async () => {
    const fixture = await start({ nodes: oneNode });
    const labels = { app: "batch" };
    const { spec, metadata = {} } = template({ endsIn: "3s" }, labels);
    const containers = [{ name: "app", image: "app:1", resources: { requests: { cpu: "1" } } }];
    const podTemplate = { metadata, spec: { ...spec, containers, priorityClassName: "low" } };
    await fixture.client.create(replicaSets, {
      metadata: { namespace: "default", name: "batch" },
      spec: { replicas: 4, selector: { matchLabels: labels }, template: podTemplate },
    });
    await fixture.clock.advance(2000);
    await create(fixture, { name: "high", class: "high", cpu: "2" });
    await fixture.clock.advance(60_000);
    const places = await fixture.places();
    expect(places["high"]).toBe("n");
    const placed = Object.values(places).filter((node) => node !== undefined);
    expect(placed).toHaveLength(3);
    expect(fixture.metrics.observations("scheduler_preemption_victims")).toEqual([2]);
  });

  test("is another Pod's if that one is more important, and the nomination is withdrawn", async () => {
    const fixture = await start({ nodes: oneNode });
    await create(fixture, { name: "low", class: "low", cpu: "4" });
    await create(fixture, { name: "medium", class: "medium", cpu: "4" });
    expect((await fixture.pod("medium")).status?.nominatedNodeName).toBe("n");
    await create(fixture, { name: "high", class: "high", cpu: "4" });
    await fixture.clock.advance(30_000);
    expect(await fixture.places()).toEqual({ medium: undefined, high: "n" });
    expect((await fixture.pod("medium")).status?.nominatedNodeName).toBeUndefined();
  });

  test("stays the Pod's when its binding fails", async () => {
    const fixture = await start({ nodes: oneNode });
    await create(fixture, { name: "low", class: "low", cpu: "4" });
    await create(
      fixture,
      { name: "high", class: "high", cpu: "4" },
      { name: "thief", class: "low", cpu: "4" },
    );
    let failures = 1;
    fixture.scheduler.failRequests(({ verb, name }) =>
      verb === "bind" && name === "high" && failures-- > 0 ? new Error("connection reset") : undefined,
    );
    await fixture.clock.advance(30_000);
    expect(failures).toBeLessThan(0);
    expect(await fixture.places()).toEqual({ high: "n", thief: undefined });
    expect(fixture.metrics.observations("scheduler_preemption_victims")).toEqual([1]);
  });

  test("is free for others when the Pod is deleted while it is being bound", async () => {
    const fixture = await start({ nodes: oneNode, bindingMs: 1000 });
    await create(fixture, { name: "low", class: "low", cpu: "4" });
    await fixture.clock.advance(2000);
    await create(fixture, { name: "high", class: "high", cpu: "4" });
    const isBinding = () => fixture.metrics.value("scheduler_goroutines", { operation: "binding" }) > 0;
    for (let tries = 0; tries < 100 && !isBinding(); tries++) await fixture.clock.advance(100);
    expect(isBinding()).toBe(true);
    await fixture.client.delete(pods, { namespace: "default", name: "high" });
    await fixture.clock.advance(2000);
    await create(fixture, { name: "next", class: "low", cpu: "4" });
    await fixture.clock.advance(30_000);
    expect(await fixture.places()).toEqual({ next: "n" });
  });

  test("is given up for a better node", async () => {
    const fixture = await start({ nodes: oneNode });
    await create(fixture, { name: "low", class: "low", cpu: "4" });
    await create(fixture, { name: "high", class: "high", cpu: "4" });
    await fixture.client.create(nodes, machine("empty", { cpu: "4" }));
    await fixture.clock.advance(2000);
    const placed = await fixture.pod("high");
    expect([placed.spec.nodeName, placed.status?.nominatedNodeName]).toEqual(["empty", undefined]);
  });

  test("is given up when the Pod does not fit there any more", async () => {
    const fixture = await start({ nodes: oneNode });
    await create(fixture, { name: "low", class: "low", cpu: "4" });
    await create(fixture, { name: "high", class: "high", cpu: "4" });
    await fixture.client.patch(
      nodes,
      { name: "n" },
      { type: "merge", body: { spec: { unschedulable: true } } },
    );
    await fixture.clock.advance(30_000);
    const { spec, status } = await fixture.pod("high");
    expect([spec.nodeName, status?.nominatedNodeName]).toEqual([undefined, undefined]);
    expect(findCondition(status?.conditions, "PodScheduled")?.message).toContain(
      "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
    );
  });
});

test("Pods without disruptions left are spared where others can go", async () => {
  const fixture = await start({ nodes: [machine("n", { cpu: "4" }), machine("m", { cpu: "4" })] });
  await fixture.client.create(podDisruptionBudgets, {
    metadata: { namespace: "default", name: "all" },
    spec: { minAvailable: "100%", selector: { matchLabels: { app: "precious" } } },
  });
  await create(
    fixture,
    { name: "precious", class: "low", cpu: "4", labels: { app: "precious" } },
    { name: "other", class: "medium", cpu: "4" },
  );
  await fixture.clock.advance(5000);
  await create(fixture, { name: "high", class: "high", cpu: "4" });
  await fixture.clock.advance(10_000);
  expect(Object.keys(await fixture.places())).toEqual(expect.arrayContaining(["precious", "high"]));
  expect(fixture.records.find({ name: "other" })[0]?.outcome).toMatchObject({ kind: "placed" });
  expect(Object.keys(await fixture.places())).not.toContain("other");
});

test("victims that cannot be deleted are said in the log, and it is tried again", async () => {
  const fixture = await start({ nodes: oneNode });
  await create(fixture, { name: "low", class: "low", cpu: "4" });
  const heal = fixture.scheduler.failRequests(({ verb }) =>
    verb === "delete" ? apiFailure(503, "ServiceUnavailable") : undefined,
  );
  await create(fixture, { name: "high", class: "high", cpu: "4" });
  expect(await fixture.places()).toEqual({ low: "n", high: undefined });
  expect(fixture.log.entries.map(({ message }) => message)).toContain("could not preempt Pods");
  heal();
  await fixture.clock.advance(30_000);
  expect(await fixture.places()).toEqual({ high: "n" });
});

describe("preemption for topology spread", () => {
  const host = "kubernetes.io/hostname";
  const spread = {
    maxSkew: 1,
    topologyKey: host,
    whenUnsatisfiable: "DoNotSchedule",
    labelSelector: { matchLabels: { app: "web" } },
  };
  const pinned = (node: string) => ({ nodeSelector: { [host]: node } });

  test("removes two Pods of low priority, because with one the skew would still be too large", async () => {
    const fixture = await start({
      nodes: [machine("one", { cpu: "10" }), machine("two", { cpu: "10" })],
    });
    await create(
      fixture,
      { name: "high", class: "high", cpu: "9", spec: pinned("one") },
      { name: "low-1", class: "low", cpu: "3", spec: pinned("two") },
      { name: "low-2", class: "low", cpu: "3", spec: pinned("two") },
      { name: "low-3", class: "low", cpu: "3", spec: pinned("two") },
    );
    await create(fixture, {
      name: "medium",
      class: "medium",
      cpu: "3",
      spec: { topologySpreadConstraints: [spread] },
    });
    await fixture.clock.advance(20_000);
    const places = await fixture.places();
    expect(places).toMatchObject({ high: "one", medium: "two" });
    expect(Object.keys(places).filter((name) => name.startsWith("low"))).toHaveLength(1);
  });

  test("makes a Pod feasible that no node had room for", async () => {
    const all = ["a", "b", "c"].map((name) => machine(name, { cpu: "1" }));
    const fixture = await start({ nodes: all });
    const others = { labels: { app: "other" } };
    await create(
      fixture,
      { name: "web-a", class: "high", cpu: "1", spec: pinned("a") },
      { name: "web-b", class: "high", cpu: "1", spec: pinned("b") },
      { name: "filler", class: "low", cpu: "1", spec: pinned("c"), ...others },
    );
    await create(fixture, {
      name: "web-c",
      class: "medium",
      cpu: "1",
      spec: { topologySpreadConstraints: [spread] },
    });
    await fixture.clock.advance(20_000);
    expect(await fixture.places()).toEqual({ "web-a": "a", "web-b": "b", "web-c": "c" });
  });
});
