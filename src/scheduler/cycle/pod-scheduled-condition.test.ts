import { expect, test } from "vitest";
import type { Pod, PodCondition } from "../../api/generated/core-v1.ts";
import { pod } from "../../testing/pod.ts";
import { conditionPatch } from "./pod-scheduled-condition.ts";

const now = 1_767_225_600_000;
const failure = { reason: "Unschedulable", message: "no room" } as const;
const said = { type: "PodScheduled", status: "False", ...failure, observedGeneration: 2 };

function waiting(conditions: readonly PodCondition[], generation = 2): Pod {
  const plain = pod("a", { node: null });
  return { ...plain, metadata: { ...plain.metadata, generation }, status: { conditions } };
}

test.for([
  {
    name: "has none gets one with a time",
    of: waiting([]),
    want: { ...said, lastTransitionTime: "2026-01-01T00:00:00Z" },
  },
  {
    name: "has the same is left alone",
    of: waiting([{ ...said, lastTransitionTime: "x" }]),
    want: undefined,
  },
  {
    name: "says another reason keeps its time",
    of: waiting([{ ...said, reason: "SchedulerError" }]),
    want: said,
  },
  { name: "says other words keeps its time", of: waiting([{ ...said, message: "full" }]), want: said },
  {
    name: "speaks of an older Pod is renewed",
    of: waiting([said], 3),
    want: { ...said, observedGeneration: 3 },
  },
  {
    name: "was true gets a new time",
    of: waiting([{ type: "PodScheduled", status: "True" }]),
    want: { ...said, lastTransitionTime: "2026-01-01T00:00:00Z" },
  },
])("a Pod whose condition $name", ({ of, want }) => {
  const body = want && { metadata: { uid: "uid-of-a" }, status: { conditions: [want] } };
  expect(conditionPatch(of, failure, now)).toEqual(body);
});

test.for<{ name: string; has?: string; nominatedNode?: string | null; want: unknown }>([
  { name: "is set", nominatedNode: "n", want: { nominatedNodeName: "n" } },
  { name: "is replaced", has: "m", nominatedNode: "n", want: { nominatedNodeName: "n" } },
  { name: "is withdrawn", has: "n", nominatedNode: null, want: { nominatedNodeName: null } },
  { name: "stays", has: "n", nominatedNode: "n", want: undefined },
  { name: "is not mentioned", has: "n", want: undefined },
])("a nomination $name without the condition being written again", ({ has, nominatedNode, want }) => {
  const plain = waiting([said]);
  const nominated = { ...plain, status: { ...plain.status, ...(has && { nominatedNodeName: has }) } };
  const patch = conditionPatch(
    nominated,
    { ...failure, ...(nominatedNode !== undefined && { nominatedNode }) },
    now,
  );
  expect(patch?.["status"]).toEqual(want);
});
