import { expect, test } from "vitest";
import { lineupOf } from "../../decisions/placement/lineup.ts";
import { placePod } from "../../decisions/placement/place-pod.ts";
import { fits, type Plugin } from "../../decisions/placement/plugin.ts";
import { snapshotOf } from "../../decisions/placement/snapshot.ts";
import { pod } from "../../testing/pod.ts";
import { type PluginTook, profiledLineup, type Spoke, timedLineup } from "./timed-lineup.ts";

/** A plugin that takes a while at everything, on a stopwatch that only it moves. */
function slowWorld() {
  let now = 0;
  const take = (durationMs: number) => void (now += durationMs);
  const slow: Plugin = {
    name: "Slow",
    consider() {
      take(1);
      return {
        filter: () => (take(10), fits),
        prepare() {
          take(100);
          return { kind: "scores", score: () => (take(1000), 0) };
        },
      };
    },
  };
  const idle: Plugin = { name: "Idle", consider: () => undefined };
  const node = (name: string) => ({ metadata: { name, uid: name, resourceVersion: "1" }, spec: {} });
  return {
    stopwatch: () => now,
    lineup: lineupOf([
      { plugin: slow, weight: 1 },
      { plugin: idle, weight: 1 },
    ]),
    snapshot: snapshotOf({ nodes: [node("a"), node("b"), node("c")] }),
  };
}

const placing = { draw: () => 0 };

test("every phase is timed as a whole", () => {
  const { stopwatch, lineup, snapshot } = slowWorld();
  const spoken: Parameters<Spoke>[] = [];
  const timed = timedLineup(lineup, stopwatch, (...what) => spoken.push(what));
  placePod(pod("p"), snapshot, { lineup: timed.lineup, ...placing });
  expect(timed.times()).toEqual({ PreFilter: 1, Filter: 30, PreScore: 100, Score: 3000 });
  expect(spoken).toEqual([
    ["Slow", "PreFilter"],
    ["Slow", "Filter"],
    ["Slow", "PreScore"],
    ["Slow", "Score"],
  ]);
});

test("phases that were not reached have no time", () => {
  const { stopwatch, lineup } = slowWorld();
  const timed = timedLineup(lineup, stopwatch, () => undefined);
  placePod(pod("p"), snapshotOf({ nodes: [] }), { lineup: timed.lineup, ...placing });
  expect(timed.times()).toEqual({ PreFilter: 1, Filter: 0 });
});

test("in detail, every call of every plugin is timed", () => {
  const { stopwatch, lineup, snapshot } = slowWorld();
  const took: Parameters<PluginTook>[] = [];
  const profiled = profiledLineup(lineup, stopwatch, (...what) => took.push(what));
  placePod(pod("p"), snapshot, { lineup: profiled, ...placing });
  expect(took.filter(([plugin]) => plugin === "Slow").map(([, point, ms]) => `${point} ${ms}`)).toEqual([
    "PreFilter 1",
    "Filter 10",
    "Filter 10",
    "Filter 10",
    "PreScore 100",
    "Score 1000",
    "Score 1000",
    "Score 1000",
  ]);
});

test("a placement is the same whether it is timed or not", () => {
  const { stopwatch, lineup, snapshot } = slowWorld();
  const plain = placePod(pod("p"), snapshot, { lineup, ...placing });
  const timed = timedLineup(
    profiledLineup(lineup, stopwatch, () => undefined),
    stopwatch,
    () => undefined,
  );
  expect(placePod(pod("p"), snapshot, { lineup: timed.lineup, ...placing })).toEqual(plain);
});
