import { expect, test } from "vitest";
import { defaultFeatureGates } from "../api/feature-gates.ts";
import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import { keyOf } from "../api/object.ts";
import { chooseVictims } from "../decisions/downscale/choose-victims.ts";
import { WallClock } from "../machinery/clock/wall-clock.ts";
import { pod } from "../testing/pod.ts";
import { checkRemovalsController } from "./check-removals.ts";
import { DecisionMemory } from "./decision-memory.ts";
import type { SteeringDependencies } from "./dependencies.ts";

const key = "default/web";

function replicaSet(generation: number, replicas: number): ReplicaSet {
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { namespace: "default", name: "web", uid: "web-uid", resourceVersion: "1", generation },
    spec: { replicas, selector: {} },
    status: { replicas, observedGeneration: generation },
  };
}

const ownerReferences = [
  { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "web-uid", controller: true },
];
const all = ["a", "b", "c", "d"].map((name) => {
  const made = pod(name, { deletionCost: name < "c" ? 0 : 1 });
  return { ...made, metadata: { ...made.metadata, namespace: "default", ownerReferences } };
});

interface Case {
  readonly generation: number;
  /** Of the ReplicaSet in that generation. */
  readonly size?: number;
  readonly left: string;
}

/** The messages about a decision of generation 2 that a and b go, when these are left. */
async function said({ generation, size = 2, left }: Case): Promise<readonly string[]> {
  const clock = new WallClock();
  const facts = { now: clock.now(), gates: defaultFeatureGates, related: () => 0 };
  const memory = new DecisionMemory(clock);
  memory.remember({
    id: "decision",
    replicaSet: replicaSet(1, 4),
    size: 2,
    asked: 2,
    generation: 2,
    choice: chooseVictims(all, 2, facts),
    facts,
    marked: "none",
    decidedAt: clock.now(),
    isProven: true,
  });
  const messages: string[] = [];
  const causes: string[] = [];
  const there = new Map(
    all.filter(({ metadata }) => left.includes(metadata.name)).map((each) => [keyOf(each), each]),
  );
  const controller = checkRemovalsController({
    pods: { get: (name: string) => there.get(name) },
    replicaSets: { get: () => replicaSet(generation, size) },
    memory,
    metrics: { mismatches: { increase: ({ cause }: { cause: string }) => causes.push(cause) } },
    events: { record: ({ message }: { message: string }) => messages.push(message) },
  } as unknown as SteeringDependencies);
  await controller.reconcile(key, new AbortController().signal);
  expect(causes).toEqual(messages.map(() => "Unexplained"));
  return messages;
}

test.for([
  { name: "as decided", generation: 2, left: "cd", differs: false },
  { name: "one instead of another", generation: 2, left: "bd", differs: true },
  { name: "one more", generation: 2, left: "d", differs: true },
  { name: "fewer, since the size was raised again", generation: 3, size: 3, left: "bcd", differs: false },
  { name: "more, since the size was lowered again", generation: 3, size: 1, left: "d", differs: false },
  {
    name: "another number, since the update was refused",
    generation: 2,
    size: 3,
    left: "bcd",
    differs: false,
  },
  {
    name: "one instead of another, though the size was changed again",
    generation: 3,
    left: "bd",
    differs: true,
  },
])("removed $name: an event is $differs", async ({ differs, ...removal }) => {
  expect(await said(removal)).toHaveLength(differs ? 1 : 0);
});
