import { expect, test } from "vitest";
import type { FeatureGates } from "../../src/api/feature-gates.ts";
import { pods, replicaSets } from "../../src/api/resources.ts";
import { transientFailure } from "../../src/picker/picker-failure.ts";
import type { SimulatedPicker } from "../../src/picker/simulated-picker.ts";
import type { PickPodsRequest } from "../../src/picker/transport.ts";
import { pickerEventsOf, podsOf, run, scale, startVirtual, type VirtualCluster } from "./virtual-cluster.ts";

const at = { namespace: "default", name: "web" };
const prefix = "replicaset_controller_downscale_pod_picker";

/** Wants the last names to go, takes a second to say so, and remembers what it was asked. */
function thinking() {
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

/** Six Pods, of which two are to go, and half a second of a picker's time is over. */
async function inTheMiddle(picker: SimulatedPicker, gates: Partial<FeatureGates> = {}) {
  const cluster = await startVirtual({ pickers: { picker }, gates });
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

test("a picker that is killed in the middle of a call is asked again, and what comes then counts", async () => {
  const { asked, picker } = thinking();
  let deaths = 1;
  const dying = {
    ...picker,
    pick: (question: PickPodsRequest) => (deaths-- > 0 ? reset : picker.pick(question, 0)),
  };
  const reset = transientFailure("ConnectionFailed");
  const { cluster, before } = await inTheMiddle({ ...dying, latencyMs: 600 });
  await cluster.clock.advance(1400);
  expect((await podsOf(cluster, "web")).toSorted()).toEqual(before.slice(0, 4));
  expect(asked).toHaveLength(1);
  expect(await pickerEventsOf(cluster, "web")).toEqual([]);
});

test("a picker that is killed and does not come back costs no more than its time, with one event", async () => {
  const { cluster } = await inTheMiddle({ latencyMs: 600, pick: () => transientFailure("ConnectionFailed") });
  await cluster.clock.advance(1500);
  expect(await podsOf(cluster, "web")).toHaveLength(4);
  await cluster.clock.advance(5000);
  expect(await pickerEventsOf(cluster, "web")).toEqual([
    expect.stringMatching(/^DownscalePodPickerFailed: .*\((ConnectionFailed|Timeout), \d attempt\(s\)\)/),
  ]);
  expect(outcomes(cluster)).toEqual(["Failed"]);
});

test("more are to go: it is asked anew, in the time that is left", async () => {
  const { asked, picker } = thinking();
  const { cluster, before } = await inTheMiddle(picker);
  await scale(cluster, "web", 2);
  await cluster.clock.advance(1000);
  expect((await podsOf(cluster, "web")).toSorted()).toEqual(before.slice(0, 2));
  expect(asked.map(({ requested }) => requested)).toEqual([4]);
  expect(outcomes(cluster)).toEqual(["Ranked"]);
});

test("a size that keeps changing gets no more time than one that does not", async () => {
  const { picker } = thinking();
  const { cluster } = await inTheMiddle(picker);
  for (const size of [3, 4]) {
    await scale(cluster, "web", size);
    await cluster.clock.advance(700);
  }
  // Two seconds after the first call, which are the picker's, the normal order has decided.
  await cluster.clock.advance(100);
  expect(await podsOf(cluster, "web")).toHaveLength(4);
  expect(outcomes(cluster)).toEqual(["Failed"]);
});

test("all are to go: nobody is asked any more", async () => {
  const { asked, picker } = thinking();
  const { cluster } = await inTheMiddle(picker);
  await scale(cluster, "web", 0);
  expect(await podsOf(cluster, "web")).toEqual([]);
  await cluster.clock.advance(5000);
  expect(asked).toEqual([]);
  expect(inFlight(cluster)).toBe(0);
});

test("none are to go: the call is void, and the next one asks anew", async () => {
  const { asked, picker } = thinking();
  const { cluster, before } = await inTheMiddle(picker);
  await scale(cluster, "web", 6);
  expect(inFlight(cluster)).toBe(0);
  await cluster.clock.advance(5000);
  expect([asked, outcomes(cluster)]).toEqual([[], []]);
  await scale(cluster, "web", 5);
  await cluster.clock.advance(1000);
  expect((await podsOf(cluster, "web")).toSorted()).toEqual(before.slice(0, 5));
});

test("the ReplicaSet is deleted: the call ends with it", async () => {
  const { asked, picker } = thinking();
  const { cluster } = await inTheMiddle(picker);
  await cluster.client.delete(replicaSets, at, { propagationPolicy: "Background" });
  await cluster.clock.settle();
  expect(inFlight(cluster)).toBe(0);
  await cluster.clock.advance(60_000);
  expect(await podsOf(cluster, "web")).toEqual([]);
  expect([asked, outcomes(cluster), await pickerEventsOf(cluster, "web")]).toEqual([[], [], []]);
});

test("the ReplicaSet is being deleted, and waits for its Pods: nobody is asked any more", async () => {
  const { picker } = thinking();
  const { cluster } = await inTheMiddle(picker);
  await cluster.client.delete(replicaSets, at, { propagationPolicy: "Foreground" });
  await cluster.clock.settle();
  expect(inFlight(cluster)).toBe(0);
});

test("another ReplicaSet takes its name: the answer to the first is not for it", async () => {
  const { asked, picker } = thinking();
  const { cluster } = await inTheMiddle(picker);
  await cluster.client.delete(replicaSets, at, { propagationPolicy: "Orphan" });
  await cluster.clock.advance(100);
  await run(cluster, "web", { replicas: 3, picker: "picker" });
  await cluster.clock.advance(5000);
  expect(await podsOf(cluster, "web")).toHaveLength(3);
  expect(asked.map(({ requested }) => requested)).toEqual([3]);
});

test("the picker is taken away: the normal order decides at once", async () => {
  const { asked, picker } = thinking();
  const { cluster } = await inTheMiddle(picker);
  const body = { spec: { downscalePodPicker: null } };
  await cluster.client.patch(replicaSets, at, { type: "merge", body });
  await cluster.clock.settle();
  expect(await podsOf(cluster, "web")).toHaveLength(4);
  await cluster.clock.advance(5000);
  expect([asked, outcomes(cluster)]).toEqual([[], [undefined]]);
});

test("the picker is another one: that one is asked, in the time that is left", async () => {
  const { asked, picker } = thinking();
  const { cluster, before } = await inTheMiddle(picker);
  const body = { spec: { downscalePodPicker: { maxRetries: 0 } } };
  await cluster.client.patch(replicaSets, at, { type: "merge", body });
  await cluster.clock.advance(1000);
  expect((await podsOf(cluster, "web")).toSorted()).toEqual(before.slice(0, 4));
  expect(asked).toHaveLength(1);
});

test("the gate is switched off: the normal order decides, and on again it counts again", async () => {
  const { picker } = thinking();
  const { cluster } = await inTheMiddle(picker);
  cluster.switchGates({ DownscalePodPicker: false });
  await cluster.clock.advance(500);
  expect(await podsOf(cluster, "web")).toHaveLength(4);
  expect(outcomes(cluster)).toEqual([undefined]);
  cluster.switchGates({ DownscalePodPicker: true });
  await scale(cluster, "web", 3);
  await cluster.clock.advance(1000);
  expect(outcomes(cluster)).toEqual(["Ranked", undefined]);
});

test("a Pod it was asked about ends: the answer still counts for those that are left", async () => {
  const { asked, picker } = thinking();
  const { cluster, before } = await inTheMiddle(picker);
  const [first = ""] = before;
  await cluster.client.delete(pods, { namespace: "default", name: first });
  await cluster.clock.advance(500);
  const left = await podsOf(cluster, "web");
  expect(left).toHaveLength(4);
  // One of the two it chose is enough now.
  expect(left).toEqual(expect.arrayContaining(before.slice(1, 4)));
  expect(asked.map(({ requested }) => requested)).toEqual([2]);
});
