import { expect, onTestFinished, test } from "vitest";
import { findCondition } from "../../../api/conditions.ts";
import type { PodCondition } from "../../../api/generated/core-v1.ts";
import { pods } from "../../../api/resources.ts";
import { formatTime, parseTime } from "../../../api/time.ts";
import { pod, type PodTraits } from "../../../testing/pod.ts";
import { testCluster } from "../../../testing/test-cluster.ts";
import { disruptionStaleAt } from "./stale-disruption.ts";

const at = "2026-01-01T00:00:00Z";
const target: PodCondition = { type: "DisruptionTarget", status: "True", lastTransitionTime: at };

test.for<{ name: string; condition?: PodCondition; traits?: PodTraits; want: number | undefined }>([
  {
    name: "two minutes after it was to be disrupted",
    condition: target,
    want: (parseTime(at) ?? 0) + 120_000,
  },
  { name: "never without the condition", want: undefined },
  { name: "never if it was spared before", condition: { ...target, status: "False" }, want: undefined },
  {
    name: "never if its kubelet ends it",
    condition: { ...target, reason: "TerminationByKubelet" },
    want: undefined,
  },
  { name: "never while it is being deleted", condition: target, traits: { deletedAt: at }, want: undefined },
  { name: "never after its end", condition: target, traits: { phase: "Failed" }, want: undefined },
])("a Pod counts as spared $name", ({ condition, traits, want }) => {
  const { status, ...rest } = pod("web", traits);
  const conditions = condition === undefined ? [] : [condition];
  expect(disruptionStaleAt({ ...rest, status: { ...status, conditions } })).toBe(want);
});

test("a Pod that was to be evicted and was not is no longer said to be disrupted after two minutes", async () => {
  const { client, clock, stop } = await testCluster({ nodes: 1 });
  onTestFinished(stop);
  const web = { namespace: "default", name: "web" };
  await client.create(pods, { metadata: web, spec: { containers: [{ name: "app", image: "app:1" }] } });
  await clock.advance(10_000);
  const stored = await client.get(pods, web);
  const condition = { ...target, lastTransitionTime: formatTime(clock.now()) };
  const conditions = [...(stored.status?.conditions ?? []), condition];
  await client.update(
    pods,
    { ...stored, status: { ...stored.status, conditions } },
    { subresource: "status" },
  );
  const told = async () =>
    findCondition((await client.get(pods, web)).status?.conditions, "DisruptionTarget");
  await clock.advance(110_000);
  expect(await told()).toMatchObject({ status: "True" });
  await clock.advance(15_000);
  expect(await told()).toMatchObject({ status: "False" });
});
