import { describe, expect, test } from "vitest";
import { deletionCostAnnotation } from "../../src/api/deletion-cost.ts";
import { pods } from "../../src/api/resources.ts";
import { web } from "../deployment/builders.ts";
import {
  activePods,
  at,
  deploy,
  eventsOf,
  markedPods,
  namesOf,
  scale,
  setCost,
  startSteering,
  type VirtualOptions,
  type VirtualSteering,
} from "./virtual.ts";

const annotations = { "trimtab.dev/removal-order": "trimtab" };

async function prefer({ client }: VirtualSteering, name: string): Promise<void> {
  const body = { metadata: { labels: { "kubernetes.io/prefer-for-scale-down": "" } } };
  await client.patch(pods, at(name), { type: "merge", body });
}

/** Eight Pods in a steered Deployment, and the client of the copy that steers it. */
async function start(options: VirtualOptions = {}) {
  const steered = await startSteering(options);
  await deploy(steered, web({ replicas: 8, annotations }));
  const [copy] = steered.copies;
  if (copy === undefined) throw new Error("no copy runs");
  const lists = () =>
    copy.line.requests.filter(({ verb, collection }) => verb === "list" && collection === "pods").length;
  return { steered, line: copy.line, lists, names: namesOf(await activePods(steered)) };
}

test("a scale-down whose marks the watch shows lists no Pods", async () => {
  const { steered, lists, names } = await start();
  await prefer(steered, names[5] ?? "");
  await steered.clock.settle();
  const before = lists();
  await scale(steered, 7);
  await steered.clock.advance(60_000);
  expect(namesOf(await activePods(steered))).toEqual(names.toSpliced(5, 1));
  expect(lists()).toBe(before);
});

test("a request that is refused again and again is decided anew every few seconds, and marks a Pod once each time", async () => {
  const { steered, names } = await start();
  await prefer(steered, names[5] ?? "");
  await steered.clock.settle();
  steered.refuse(() => true);
  await scale(steered, 7);
  await steered.clock.advance(25_000);
  const asked = steered.metrics.value("trimtab_steer_admissions_total", { kind: "shrink", outcome: "ready" });
  expect(asked).toBeGreaterThan(5);
  const marked = steered.metrics.value("trimtab_steer_marks_total", { what: "written" });
  // A decided size that is not stored within five seconds is dropped, and its marks are undone: two writes each time.
  expect(marked).toBeGreaterThan(3);
  expect(marked).toBeLessThanOrEqual(10);
});

test("a decision waits until the watch has shown marks that were right at first", async () => {
  const { steered, line, names } = await start();
  await prefer(steered, names[5] ?? "");
  await steered.clock.settle();
  line.holdWatches(pods);
  await scale(steered, 7);
  await steered.clock.advance(4000);
  expect(namesOf(await activePods(steered))).toEqual(names);
  line.releaseWatches();
  await steered.clock.advance(60_000);
  expect(namesOf(await activePods(steered))).toEqual(names.toSpliced(5, 1));
  expect(await eventsOf(steered, "ScaleDownNotSteered", "ReplicaSet")).toEqual([]);
});

test("marks that the watch has not shown in time are an event", async () => {
  const { steered, line, names } = await start();
  await prefer(steered, names[5] ?? "");
  await steered.clock.settle();
  line.holdWatches(pods);
  await scale(steered, 7);
  await steered.clock.advance(20_000);
  line.releaseWatches();
  await steered.clock.advance(60_000);
  expect(await eventsOf(steered, "ScaleDownNotSteered", "ReplicaSet")).toEqual([
    expect.stringContaining("The marks were not seen in time"),
  ]);
});

test("a decision is told although the Pods cannot be listed", async () => {
  const { steered, line, names } = await start();
  await prefer(steered, names[5] ?? "");
  await steered.clock.settle();
  line.holdWatches(pods);
  const mend = line.failRequests(({ verb, collection }) =>
    verb === "list" && collection === "pods" ? new Error("the API server is overloaded") : undefined,
  );
  await scale(steered, 7);
  await steered.clock.advance(20_000);
  mend();
  line.releaseWatches();
  await steered.clock.advance(60_000);
  expect(namesOf(await activePods(steered))).toEqual(names.toSpliced(5, 1));
  expect(await eventsOf(steered, "ScaleDownSteered", "ReplicaSet")).toHaveLength(1);
  expect(await eventsOf(steered, "ScaleDownNotSteered", "ReplicaSet")).toHaveLength(1);
  expect(await markedPods(steered)).toEqual([]);
});

test("what nothing proves to have been decided on the right Pods is decided again", async () => {
  const { steered, line, names } = await start();
  const [wrong = "", right = ""] = names;
  await prefer(steered, wrong);
  await steered.clock.settle();
  line.holdWatches(pods);
  const mend = line.failRequests(({ verb, collection }) =>
    verb === "list" && collection === "pods" ? new Error("the API server is overloaded") : undefined,
  );
  const body = { metadata: { labels: { "kubernetes.io/prefer-for-scale-down": null } } };
  await steered.client.patch(pods, at(wrong), { type: "merge", body });
  await prefer(steered, right);
  await scale(steered, 7);
  await steered.clock.advance(2100);
  mend();
  await steered.clock.advance(1000);
  line.releaseWatches();
  await steered.clock.advance(60_000);
  expect(namesOf(await activePods(steered))).toEqual(names.filter((name) => name !== right));
  expect(await markedPods(steered)).toEqual([]);
  expect(await eventsOf(steered, "ScaleDownDiffers")).toEqual([]);
  expect(await eventsOf(steered, "ScaleDownNotSteered", "ReplicaSet")).toEqual([]);
});

describe.each([
  ["shows the marks after a second", 1000, 10],
  ["shows nothing for longer than the request may wait", 15_000, 10],
  ["shows nothing for longer than the request may wait, which is two seconds", 15_000, 2],
])("while the watch of Pods %s", (_, lateMs, timeoutSeconds) => {
  test("a label that it has not shown counts, and marks on other Pods do not stay", async () => {
    const { steered, line, names } = await start({ timeoutSeconds });
    const [wrong = "", right = ""] = names;
    await prefer(steered, wrong);
    await steered.clock.settle();
    line.holdWatches(pods);
    const body = { metadata: { labels: { "kubernetes.io/prefer-for-scale-down": null } } };
    await steered.client.patch(pods, at(wrong), { type: "merge", body });
    await prefer(steered, right);
    await scale(steered, 7);
    await steered.clock.advance(lateMs);
    line.releaseWatches();
    await steered.clock.advance(60_000);
    expect(namesOf(await activePods(steered))).toEqual(names.filter((name) => name !== right));
    expect(await markedPods(steered)).toEqual([]);
    expect(await eventsOf(steered, "ScaleDownSteered", "ReplicaSet")).toHaveLength(1);
    expect(await eventsOf(steered, "ScaleDownDiffers")).toEqual([]);
  });

  test("a cost that a person has set and it has not shown is neither overwritten nor passed over", async () => {
    const { steered, line, names } = await start({ timeoutSeconds });
    const [dear = "", next = ""] = names;
    for (const name of [dear, next]) await prefer(steered, name);
    await steered.clock.settle();
    line.holdWatches(pods);
    await setCost(steered, dear, "1000");
    await scale(steered, 7);
    await steered.clock.advance(lateMs);
    line.releaseWatches();
    await steered.clock.advance(60_000);
    expect(namesOf(await activePods(steered))).toEqual(names.filter((name) => name !== next));
    const { metadata } = await steered.client.get(pods, at(dear));
    expect(metadata.annotations?.[deletionCostAnnotation]).toBe("1000");
    expect(await markedPods(steered)).toEqual([]);
  });

  test("a cost of another Pod than the marked one that it has not shown counts", async () => {
    const { steered, line, names } = await start({ timeoutSeconds });
    const [preferred = "", cheap = ""] = names;
    await prefer(steered, preferred);
    await steered.clock.settle();
    line.holdWatches(pods);
    await setCost(steered, cheap, "-5");
    await scale(steered, 7);
    await steered.clock.advance(lateMs);
    line.releaseWatches();
    await steered.clock.advance(60_000);
    expect(namesOf(await activePods(steered))).toEqual(names.filter((name) => name !== cheap));
    expect(await markedPods(steered)).toEqual([]);
    expect(await eventsOf(steered, "ScaleDownDiffers")).toEqual([]);
  });

  test("a Pod that has gone and is still shown is not counted", async () => {
    const { steered, line, names } = await start({ timeoutSeconds });
    for (const name of names.slice(0, 3)) await prefer(steered, name);
    await steered.clock.settle();
    line.holdWatches(pods);
    await steered.client.delete(pods, at(names[0] ?? ""), { gracePeriodSeconds: 0 });
    await scale(steered, 6);
    await steered.clock.advance(lateMs);
    line.releaseWatches();
    await steered.clock.advance(60_000);
    const left = namesOf(await activePods(steered));
    expect(left).toHaveLength(6);
    expect(left).toEqual(expect.arrayContaining(names.slice(3)));
    expect(await markedPods(steered)).toEqual([]);
  });
});
