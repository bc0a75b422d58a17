import { expect, test } from "vitest";
import { deployment } from "../../../testing/deployment.ts";
import { available, deadlineOf, progressing, replaceCondition, setCondition } from "./conditions.ts";

const [early, late] = ["2026-01-01T00:00:00Z", "2026-01-01T00:00:09Z"];
const then = progressing("ReplicaSetUpdated", "first", 1767225600000);
const now = 1767225609000;

test("a condition carries the status that goes with its reason", () => {
  expect(then).toEqual({
    type: "Progressing",
    status: "True",
    lastUpdateTime: early,
    lastTransitionTime: early,
    reason: "ReplicaSetUpdated",
    message: "first",
  });
  expect(progressing("ProgressDeadlineExceeded", "", now).status).toBe("False");
  expect(progressing("DeploymentPaused", "", now).status).toBe("Unknown");
  expect(available(true, now)).toMatchObject({ status: "True", reason: "MinimumReplicasAvailable" });
  expect(available(false, now)).toMatchObject({ status: "False", reason: "MinimumReplicasUnavailable" });
});

test("nothing changes while status and reason stay the same, not even the message", () => {
  const conditions = [then];
  expect(setCondition(conditions, progressing("ReplicaSetUpdated", "second", now))).toBe(conditions);
});

test("another reason keeps the time of the transition, and moves the condition to the end", () => {
  const other = available(true, now);
  expect(setCondition([then, other], progressing("NewReplicaSetAvailable", "done", now))).toEqual([
    other,
    { ...progressing("NewReplicaSetAvailable", "done", now), lastTransitionTime: early },
  ]);
});

test("another status is a transition", () => {
  const [next] = setCondition([then], progressing("ProgressDeadlineExceeded", "late", now));
  expect(next).toMatchObject({ lastUpdateTime: late, lastTransitionTime: late });
});

test("replacing moves the time of the update although the reason is the same", () => {
  const [next] = replaceCondition([then], progressing("ReplicaSetUpdated", "second", now));
  expect(next).toMatchObject({ lastUpdateTime: late, lastTransitionTime: early, message: "second" });
});

test.for([
  { seconds: 600, want: 600 },
  { seconds: null, want: undefined },
  { seconds: 2147483647, want: undefined },
])("a deadline of $seconds seconds is $want", ({ seconds, want }) => {
  expect(deadlineOf(deployment("web", { progressDeadlineSeconds: seconds }))).toBe(want);
});
