import { expect, test } from "vitest";
import { pods, replicaSets } from "../../src/api/resources.ts";
import { transientFailure } from "../../src/picker/picker-failure.ts";
import type { SimulatedPicker } from "../../src/picker/simulated-picker.ts";
import type { PickPodsRequest } from "../../src/picker/transport/transport.ts";
import { pickerEventsOf, podsOf, run, scale, startVirtual, type VirtualCluster } from "./virtual-cluster.ts";

const at = { namespace: "default", name: "web" };
const prefix = "replicaset_controller_downscale_pod_picker";

/** Chooses the last names after one second, and records the requests. */
function slowPicker() {
  const asked: PickPodsRequest[] = [];
  const picker: SimulatedPicker = {
    latencyMs: 1000,
    pick(question) {
      asked.push(question);
      return { chosen_pods: question.candidates.toSorted().slice(-question.requested) };
    },
  };
  return { asked, picker };
}

/** Six Pods, scaled down to four, half a second after the call began. */
async function startMidCall(picker: SimulatedPicker) {
  const cluster = await startVirtual({ pickers: { picker } });
  await run(cluster, "web", { replicas: 6, picker: "picker" });
  const before = (await podsOf(cluster, "web")).toSorted();
  await scale(cluster, "web", 4);
  await cluster.clock.advance(500);
  expect(await podsOf(cluster, "web")).toHaveLength(6);
  return { cluster, before };
}

function outcomes({ decisions }: VirtualCluster): readonly unknown[] {
  return decisions.removals.find(at).map(({ picker }) => picker?.["outcome"]);
}

function inFlight({ metrics }: VirtualCluster): number | undefined {
  return metrics.value(`${prefix}_in_flight`);
}

test("a picker that is killed during a call is called again, and that answer is used", async () => {
  const { asked, picker } = slowPicker();
  let deaths = 1;
  const dying = {
    ...picker,
    pick: (question: PickPodsRequest) => (deaths-- > 0 ? reset : picker.pick(question, 0)),
  };
  const reset = transientFailure("ConnectionFailed");
  const { cluster, before } = await startMidCall({ ...dying, latencyMs: 600 });
  await cluster.clock.advance(1400);
  expect((await podsOf(cluster, "web")).toSorted()).toEqual(before.slice(0, 4));
  expect(asked).toHaveLength(1);
  expect(await pickerEventsOf(cluster, "web")).toEqual([]);
});

test("a picker that is killed for good delays the scale-down by its timeout, with one event", async () => {
  const { cluster } = await startMidCall({
    latencyMs: 600,
    pick: () => transientFailure("ConnectionFailed"),
  });
  await cluster.clock.advance(1500);
  expect(await podsOf(cluster, "web")).toHaveLength(4);
  await cluster.clock.advance(5000);
  expect(await pickerEventsOf(cluster, "web")).toEqual([
    expect.stringMatching(/^DownscalePodPickerFailed: .*\((ConnectionFailed|Timeout), \d attempt\(s\)\)/),
  ]);
  expect(outcomes(cluster)).toEqual(["Failed"]);
});

test("a second scale-down leaves the running consultation alone, and the rest gets a time of its own", async () => {
  const { asked, picker } = slowPicker();
  const { cluster, before } = await startMidCall(picker);
  await scale(cluster, "web", 2);
  await cluster.clock.advance(500);
  expect((await podsOf(cluster, "web")).toSorted()).toEqual(before.slice(0, 4));
  await cluster.clock.advance(1000);
  expect((await podsOf(cluster, "web")).toSorted()).toEqual(before.slice(0, 2));
  expect(asked.map(({ requested, candidates }) => [requested, candidates.length])).toEqual([
    [2, 6],
    [2, 4],
  ]);
  expect(outcomes(cluster)).toEqual(["Ranked", "Ranked"]);
  expect(await pickerEventsOf(cluster, "web")).toEqual([]);
});

test("a rest that takes nearly the whole timeout is waited for as well", async () => {
  const { picker } = slowPicker();
  const { cluster, before } = await startMidCall({ ...picker, latencyMs: 1900 });
  await scale(cluster, "web", 2);
  await cluster.clock.advance(1400 + 1900);
  expect((await podsOf(cluster, "web")).toSorted()).toEqual(before.slice(0, 2));
  expect(outcomes(cluster)).toEqual(["Ranked", "Ranked"]);
});

test("a second scale-down after a consultation without an answer waits for no other", async () => {
  const { cluster } = await startMidCall({ latencyMs: 60_000, pick: () => undefined });
  await scale(cluster, "web", 2);
  await cluster.clock.advance(1500);
  expect(await podsOf(cluster, "web")).toHaveLength(2);
  expect(outcomes(cluster)).toEqual(["Failed"]);
});

test("a size that keeps falling is followed, one consultation after another", async () => {
  const { asked, picker } = slowPicker();
  const { cluster, before } = await startMidCall(picker);
  for (const size of [3, 2, 1]) {
    await scale(cluster, "web", size);
    await cluster.clock.advance(100);
  }
  await cluster.clock.advance(2000);
  expect((await podsOf(cluster, "web")).toSorted()).toEqual(before.slice(0, 1));
  expect(asked.map(({ requested }) => requested)).toEqual([2, 3]);
});

test("scaled up, but not all the way: another call is made, in the remaining time", async () => {
  const { asked, picker } = slowPicker();
  const { cluster, before } = await startMidCall(picker);
  await scale(cluster, "web", 5);
  expect(inFlight(cluster)).toBe(1);
  await cluster.clock.advance(1000);
  expect((await podsOf(cluster, "web")).toSorted()).toEqual(before.slice(0, 5));
  expect(asked.map(({ requested }) => requested)).toEqual([1]);
});

test("scaled down to zero: the call is cancelled", async () => {
  const { asked, picker } = slowPicker();
  const { cluster } = await startMidCall(picker);
  await scale(cluster, "web", 0);
  expect(await podsOf(cluster, "web")).toEqual([]);
  await cluster.clock.advance(5000);
  expect(asked).toEqual([]);
  expect(inFlight(cluster)).toBe(0);
});

test("scaled up again: the call is cancelled, and the next scale-down makes a new one", async () => {
  const { asked, picker } = slowPicker();
  const { cluster, before } = await startMidCall(picker);
  await scale(cluster, "web", 6);
  expect(inFlight(cluster)).toBe(0);
  await cluster.clock.advance(5000);
  expect([asked, outcomes(cluster)]).toEqual([[], []]);
  await scale(cluster, "web", 5);
  await cluster.clock.advance(1000);
  expect((await podsOf(cluster, "web")).toSorted()).toEqual(before.slice(0, 5));
});

test("the ReplicaSet is deleted: the call is cancelled", async () => {
  const { asked, picker } = slowPicker();
  const { cluster } = await startMidCall(picker);
  await cluster.client.delete(replicaSets, at, { propagationPolicy: "Background" });
  await cluster.clock.settle();
  expect(inFlight(cluster)).toBe(0);
  await cluster.clock.advance(60_000);
  expect(await podsOf(cluster, "web")).toEqual([]);
  expect([asked, outcomes(cluster), await pickerEventsOf(cluster, "web")]).toEqual([[], [], []]);
});

test("the ReplicaSet is being deleted in the foreground: the call is cancelled", async () => {
  const { picker } = slowPicker();
  const { cluster } = await startMidCall(picker);
  await cluster.client.delete(replicaSets, at, { propagationPolicy: "Foreground" });
  await cluster.clock.settle();
  expect(inFlight(cluster)).toBe(0);
});

test("another ReplicaSet takes its name: the answer is discarded", async () => {
  const { asked, picker } = slowPicker();
  const { cluster } = await startMidCall(picker);
  await cluster.client.delete(replicaSets, at, { propagationPolicy: "Orphan" });
  await cluster.clock.advance(100);
  await run(cluster, "web", { replicas: 3, picker: "picker" });
  await cluster.clock.advance(5000);
  expect(await podsOf(cluster, "web")).toHaveLength(3);
  expect(asked.map(({ requested }) => requested)).toEqual([3]);
});

test("the picker is removed: the normal order decides at once", async () => {
  const { asked, picker } = slowPicker();
  const { cluster } = await startMidCall(picker);
  const body = { spec: { downscalePodPicker: null } };
  await cluster.client.patch(replicaSets, at, { type: "merge", body });
  await cluster.clock.settle();
  expect(await podsOf(cluster, "web")).toHaveLength(4);
  await cluster.clock.advance(5000);
  expect([asked, outcomes(cluster)]).toEqual([[], [undefined]]);
});

test("the picker is replaced: the new one is called, in the remaining time", async () => {
  const { asked, picker } = slowPicker();
  const { cluster, before } = await startMidCall(picker);
  const body = { spec: { downscalePodPicker: { maxRetries: 0 } } };
  await cluster.client.patch(replicaSets, at, { type: "merge", body });
  await cluster.clock.advance(1000);
  expect((await podsOf(cluster, "web")).toSorted()).toEqual(before.slice(0, 4));
  expect(asked).toHaveLength(1);
});

test("the gate is switched off: the normal order decides; on again, the picker does", async () => {
  const { picker } = slowPicker();
  const { cluster } = await startMidCall(picker);
  cluster.switchGates({ DownscalePodPicker: false });
  await cluster.clock.advance(500);
  expect(await podsOf(cluster, "web")).toHaveLength(4);
  expect(outcomes(cluster)).toEqual([undefined]);
  cluster.switchGates({ DownscalePodPicker: true });
  await scale(cluster, "web", 3);
  await cluster.clock.advance(1000);
  expect(outcomes(cluster)).toEqual(["Ranked", undefined]);
});

test("a candidate ends: the answer applies to the remaining Pods", async () => {
  const { asked, picker } = slowPicker();
  const { cluster, before } = await startMidCall(picker);
  const [first = ""] = before;
  await cluster.client.delete(pods, { namespace: "default", name: first });
  await cluster.clock.advance(500);
  const left = await podsOf(cluster, "web");
  expect(left).toHaveLength(4);
  // One of the two chosen Pods is enough.
  expect(left).toEqual(expect.arrayContaining(before.slice(1, 4)));
  expect(asked.map(({ requested }) => requested)).toEqual([2]);
});
