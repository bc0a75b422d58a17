import { expect, test } from "vitest";
import type { ContainerState } from "../../src/api/generated/core-v1.ts";
import { pod } from "../../src/testing/pod.ts";
import { containerRows } from "./container-rows.ts";

const withState = (state: ContainerState | undefined, lastState?: ContainerState) => {
  const base = pod("a");
  const status = { name: "app", image: "app:1", imageID: "", ready: false, restartCount: 2 };
  return {
    ...base,
    spec: { ...base.spec, containers: [{ name: "app", image: "app:1" }] },
    status: {
      ...base.status,
      containerStatuses: [{ ...status, ...(state && { state }), ...(lastState && { lastState }) }],
    },
  };
};

test.for([
  { name: "running", state: { running: {} }, want: "running" },
  { name: "waiting", state: { waiting: { reason: "CrashLoopBackOff" } }, want: "CrashLoopBackOff" },
  {
    name: "ended",
    state: { terminated: { exitCode: 137, reason: "OOMKilled" } },
    want: "OOMKilled, exit code 137",
  },
  { name: "not reported", state: undefined, want: "waiting" },
])("a container that is $name", ({ state, want }) => {
  expect(containerRows(withState(state))).toMatchObject([{ name: "app", state: want, restarts: 2 }]);
});

test("what ended a container before its restart is said", () => {
  const [row] = containerRows(withState({ running: {} }, { terminated: { exitCode: 1, reason: "Error" } }));
  expect(row?.before).toBe("Error, exit code 1");
});
