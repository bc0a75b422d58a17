import { expect, test } from "vitest";
import { parseTime } from "../../api/time.ts";
import { type PodTraits, pod } from "../../testing/pod.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { availabilityRecheckAt } from "./availability.ts";

const at = (time: string) => parseTime(`2026-01-01T00:${time}Z`) ?? 0;
const now = at("10:00");
const ready = (time: string): PodTraits => ({ readyAt: `2026-01-01T00:${time}Z` });

interface Case {
  readonly name: string;
  readonly minReadySeconds?: number;
  readonly available?: number;
  readonly pods: readonly PodTraits[];
  readonly want: number | undefined;
}

const cases: readonly Case[] = [
  {
    name: "never where Pods are available as soon as they are ready",
    minReadySeconds: 0,
    pods: [ready("09:59")],
    want: undefined,
  },
  { name: "never when all ready Pods are available", available: 1, pods: [ready("09:00")], want: undefined },
  { name: "when the only ready Pod will be available", pods: [ready("09:58")], want: at("10:03") },
  {
    name: "when the first of several will be available",
    pods: [ready("09:58"), ready("09:57"), { ready: false }, ready("09:59")],
    want: at("10:02"),
  },
  {
    name: "later than now, even if one has just become available",
    pods: [ready("09:55"), ready("09:59")],
    want: at("10:04"),
  },
  {
    name: "after the whole time when no Pod says since when it is ready",
    pods: [{ readyAt: null }],
    want: at("10:05"),
  },
  { name: "to the millisecond", pods: [ready("09:55.700")], want: at("10:00.700") },
];

test.for(cases)("recheckAt is $name", ({ minReadySeconds = 5, available = 0, pods, want }) => {
  const active = pods.map((traits, index) => pod(`web-${index}`, traits));
  const owner = replicaSet("web", { minReadySeconds, pods: active.length, ready: 1, available });
  expect(availabilityRecheckAt({ owner, active, now })).toBe(want);
});
