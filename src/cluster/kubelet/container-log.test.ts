import { expect, test } from "vitest";
import type { ContainerState, Pod } from "../../api/generated/core-v1.ts";
import { formatTime } from "../../api/time.ts";
import { containerLog } from "./container-log.ts";

const second = 1000;
const start = 1_800_000_000_000;
const at = (seconds: number) => formatTime(start + seconds * second);

interface Story {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly state?: ContainerState;
  readonly ready?: boolean;
  /** When the Pod was deleted with a grace of 30 s, in seconds after the start. */
  readonly deleted?: number;
}

const running: ContainerState = { running: { startedAt: at(0) } };
const ended = (exitCode: number, seconds: number): ContainerState => ({
  terminated: { exitCode, startedAt: at(0), finishedAt: at(seconds) },
});

function podOf({ annotations = {}, state = running, ready = false, deleted }: Story): Pod {
  const status = ready ? "True" : "False";
  return {
    metadata: {
      name: "web",
      uid: "u",
      resourceVersion: "1",
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([key, value]) => [`sim.trimtab.dev/${key}`, value]),
      ),
      ...(deleted !== undefined && {
        deletionTimestamp: at(deleted + 30),
        deletionGracePeriodSeconds: 30,
      }),
    },
    spec: { containers: [{ name: "app", image: "nginx:1" }] },
    status: {
      conditions: [{ type: "Ready", status }],
      containerStatuses: [{ name: "app", image: "nginx:1", imageID: "", ready, restartCount: 0, state }],
    },
  };
}

/** The log after so many seconds, as `second text`. */
function linesAfter(seconds: number, story: Story): readonly string[] | undefined {
  const pod = podOf(story);
  const log = containerLog(
    pod,
    { name: "app", image: "nginx:1" },
    { now: start + seconds * second, previous: false },
  );
  return log?.lines.map(
    (line) => `${(line.at - start) / second} ${line.text.replace("trimtab: container app ", "")}`,
  );
}

const started = "0 started (simulated), image nginx:1";

test.for<{ name: string; after?: number; story: Story; want: readonly string[] }>([
  { name: "that runs has started", story: {}, want: [started] },
  {
    name: "that is ready says so, after its delay",
    story: { ready: true, annotations: { readyDelay: "3s" } },
    want: [started, "3 is ready"],
  },
  {
    name: "that is told to end shuts down",
    story: { ready: false, deleted: 10 },
    want: [started, "0 is ready", "10 received SIGTERM and shuts down"],
  },
  {
    name: "that ignores this says so",
    story: { deleted: 10, annotations: { ignoreSIGTERM: "true" } },
    want: [started, "0 is ready", "10 received SIGTERM and ignores it"],
  },
  {
    name: "that was never ready was not when it ended either",
    story: { deleted: 10, annotations: { neverReady: "true" } },
    want: [started, "10 received SIGTERM and shuts down"],
  },
  {
    name: "that was deleted before it was ready never was",
    story: { deleted: 2, annotations: { readyDelay: "5s" } },
    want: [started, "2 received SIGTERM and shuts down"],
  },
  {
    name: "that exits says so",
    story: { deleted: 10, state: ended(0, 11) },
    want: [started, "0 is ready", "10 received SIGTERM and shuts down", "11 exits"],
  },
  {
    name: "that is killed says nothing",
    story: { deleted: 10, state: ended(137, 40), annotations: { ignoreSIGTERM: "true" } },
    want: [started, "0 is ready", "10 received SIGTERM and ignores it"],
  },
  {
    name: "says what its annotation asks for",
    story: { annotations: { log: "hello\nworld\n" } },
    want: [started, "0 hello", "0 world"],
  },
  {
    name: "says it again and again",
    after: 7,
    story: { annotations: { log: "tick\ntock", logInterval: "2s" } },
    want: [started, "2 tick", "4 tock", "6 tick"],
  },
  {
    name: "says it until it ends",
    after: 70,
    story: { annotations: { log: "tick", logInterval: "2s" }, state: ended(1, 3) },
    want: [started, "2 tick", "3 crashes and exits with code 1"],
  },
  {
    name: "that is out of memory has no time to say so",
    story: { state: ended(137, 3) },
    want: [started],
  },
])("a container $name", ({ after = 60, story, want }) => {
  expect(linesAfter(after, story)).toEqual(want);
});

test("a container that waits has no log, and one that never ran before no previous one", () => {
  expect(linesAfter(1, { state: { waiting: { reason: "ContainerCreating" } } })).toBeUndefined();
  const before = containerLog(podOf({}), { name: "app" }, { now: start, previous: true });
  expect(before).toBeUndefined();
});

test("the previous run of a container that crashed has its own log", () => {
  const pod = podOf({ annotations: { log: "hello" } });
  const [status] = pod.status?.containerStatuses ?? [];
  const crashed = status && { ...status, restartCount: 1, lastState: ended(3, 4) };
  const after = { ...pod, status: { containerStatuses: crashed === undefined ? [] : [crashed] } };
  const log = containerLog(after, { name: "app", image: "nginx:1" }, { now: start + 60_000, previous: true });
  expect(log?.lines.map(({ text }) => text)).toEqual([
    "trimtab: container app started (simulated), image nginx:1",
    "hello",
    "trimtab: container app crashes and exits with code 3",
  ]);
  expect(log?.ended).toBe(true);
});

test("only the newest of repeated lines are kept", () => {
  const lines = linesAfter(100_000, { annotations: { log: "tick", logInterval: "1s" } }) ?? [];
  expect([lines.length, lines[0], lines[1], lines.at(-1)]).toEqual([
    1001,
    started,
    "99001 tick",
    "100000 tick",
  ]);
});
