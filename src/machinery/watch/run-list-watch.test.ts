import { expect, test } from "vitest";
import type { ConfigMap } from "../../api/generated/core-v1.ts";
import { configMaps } from "../../api/resources.ts";
import { ScriptedApi } from "../../testing/scripted-api.ts";
import { apiFailure } from "../client/api-error.ts";
import type { WatchEvent } from "../client/client.ts";
import { AdjustableClock } from "../clock/adjustable-clock.ts";
import type { Clock } from "../clock/clock.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { seededRandom } from "../random/random.ts";
import type { ListWatchOutput } from "./list-watch-state.ts";
import { runListWatch } from "./run-list-watch.ts";

/** A list/watch of ConfigMaps that writes down what it says: `gather a`, `replace 3`, `ADDED b`, … */
function startBy<C extends Clock>(clock: C, api = new ScriptedApi()) {
  const stop = new AbortController();
  const said: string[] = [];
  const failures: unknown[] = [];
  const running = runListWatch(
    {
      client: api,
      resource: configMaps,
      clock,
      random: seededRandom("list-watch"),
      sink: (output: ListWatchOutput<ConfigMap>) => void said.push(inWords(output)),
      failed: (error) => failures.push(error),
    },
    stop.signal,
  );
  const create = (name: string) =>
    api.create(configMaps, { metadata: { name, namespace: "default" }, data: {} });
  const remove = (name: string) => api.delete(configMaps, { name, namespace: "default" });
  const verbs = () =>
    api.requests.map(({ verb }) => verb).filter((verb) => verb === "list" || verb === "watch");
  /** What was said since the last time. */
  const heard = () => said.splice(0);
  return { api, clock, stop, running, failures, create, remove, verbs, heard };
}

const start = (api?: ScriptedApi) => startBy(new VirtualClock(), api);

function inWords(output: ListWatchOutput<ConfigMap>): string {
  switch (output.type) {
    case "gather":
      return `gather ${output.event.object.metadata.name}`;
    case "apply":
      return `${output.event.type} ${output.event.object.metadata.name}`;
    case "replace":
    case "reach":
      return `${output.type} ${output.resourceVersion}`;
    case "discard":
      return "discard";
  }
}

test("the collection and all that follows come through one stream", async () => {
  const { api, clock, create, remove, verbs, heard } = start();
  await create("a");
  await clock.settle();
  await create("b");
  await remove("a");
  api.bookmark();
  await clock.settle();
  expect(heard()).toEqual(["replace 0", "ADDED a", "ADDED b", "DELETED a"]);
  expect(verbs()).toEqual(["watch"]);
});

test("a server that does not stream is listed in pages, once and for all", async () => {
  const api = new ScriptedApi();
  api.streams = false;
  for (let index = 0; index < 1001; index++)
    await api.create(configMaps, { metadata: { name: `c${index}`, namespace: "default" } });
  const { clock, create, verbs, heard } = start(api);
  await clock.settle();
  expect(verbs()).toEqual(["watch", "list", "list", "list", "watch"]);
  expect(heard().filter((words) => words.startsWith("gather"))).toHaveLength(1001);
  api.forgetHistory();
  await create("late");
  api.forgetHistory();
  api.endWatches(apiFailure(410, "Expired"));
  await clock.advance(10_000);
  expect(verbs().slice(5)).toEqual(["list", "list", "list", "watch"]);
});

test("a list whose pages became too old is asked for at once", async () => {
  const api = new ScriptedApi();
  api.streams = false;
  for (let index = 0; index < 501; index++)
    await api.create(configMaps, { metadata: { name: `c${index}`, namespace: "default" } });
  const list = api.list.bind(api);
  api.list = async (resource, query) => {
    const page = await list(resource, query);
    api.forgetHistory();
    return page;
  };
  const { clock, heard } = start(api);
  await clock.advance(60_000);
  expect(heard().filter((words) => !words.startsWith("gather"))).toEqual([
    "discard",
    "discard",
    "replace 501",
  ]);
});

test("after a clean end the watch goes on where it was, bookmarks included", async () => {
  const { api, clock, create, verbs, heard } = start();
  await clock.settle();
  await api.create({ ...configMaps, plural: "others" }, { metadata: { name: "elsewhere" } });
  api.bookmark();
  await clock.settle();
  expect(heard()).toEqual(["replace 0", "reach 1"]);
  api.endWatches();
  await create("a");
  await clock.settle();
  expect(heard()).toEqual(["ADDED a"]);
  expect(verbs()).toEqual(["watch", "watch"]);
  expect(api.requests.findLast(({ verb }) => verb === "watch")?.query?.resourceVersion).toBe("1");
});

test("a failed watch goes on where it was, after a rest", async () => {
  const { api, clock, create, failures, heard } = start();
  await create("a");
  await clock.settle();
  const broken = new Error("connection reset");
  api.endWatches(broken);
  await create("b");
  await clock.advance(799);
  expect(heard()).toEqual(["replace 0", "ADDED a"]);
  await clock.advance(801);
  expect(heard()).toEqual(["ADDED b"]);
  expect(failures).toEqual([broken]);
});

test("rests become longer while the server is away, and short again afterwards", async () => {
  const { api, clock, create, failures, heard } = start();
  await clock.settle();
  api.failures.push(...Array.from({ length: 8 }, () => new Error("connection refused")));
  api.endWatches(new Error("connection reset"));
  await clock.advance(20_000);
  expect(failures.length).toBeLessThan(7);
  await clock.advance(300_000);
  expect(failures).toHaveLength(9);
  await create("a");
  api.endWatches(new Error("connection reset"));
  await create("b");
  await clock.advance(1600);
  expect(heard()).toEqual(["replace 0", "ADDED a", "ADDED b"]);
});

test("a version that is gone is answered by listing again", async () => {
  const { api, clock, create, remove, heard } = start();
  await create("a");
  await clock.settle();
  api.holdWatches();
  await remove("a");
  await create("a");
  api.forgetHistory();
  api.endWatches();
  api.releaseWatches();
  await clock.settle();
  expect(heard()).toEqual(["replace 0", "ADDED a", "gather a", "replace 3"]);
});

test("a server that ends every watch at once is not asked in a hot loop", async () => {
  const api = new ScriptedApi();
  const watch = api.watch.bind(api);
  api.watch = (...request) => {
    const stream = watch(...request);
    api.endWatches();
    return stream;
  };
  const { clock } = start(api);
  await clock.advance(600_000);
  expect(api.requests.length).toBeLessThan(40);
});

test("a server that forgets every version at once is not asked in a hot loop", async () => {
  const api = new ScriptedApi();
  const watch = api.watch.bind(api);
  api.watch = (...request) => {
    const stream = watch(...request);
    api.endWatches(apiFailure(410, "Expired"));
    return stream;
  };
  const { clock } = start(api);
  await clock.advance(600_000);
  expect(api.requests.length).toBeLessThan(40);
});

test("a watch whose server vanished is aborted and resumed", async () => {
  const api = new ScriptedApi();
  const { clock, create, failures, heard } = start(api);
  await clock.settle();
  api.holdWatches();
  await create("a");
  await clock.advance(600_000 + 30_000 + 1600);
  expect(failures).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/^the watch did not end within \d+ s$/) }),
  ]);
  expect(api.openWatches).toBe(1);
  api.releaseWatches();
  await clock.settle();
  expect(heard()).toEqual(["replace 0", "ADDED a"]);
});

test("a step of the cluster's time fails no watch: its server and the guard against a lost one go by wall time", async () => {
  const wall = new VirtualClock();
  const { api, clock, create, failures, verbs, heard } = startBy(new AdjustableClock(wall));
  await wall.settle();
  await clock.advance(3 * 3600 * 1000);
  expect(failures).toEqual([]);
  expect(verbs()).toEqual(["watch"]);
  await create("a");
  await wall.settle();
  expect(heard()).toEqual(["replace 0", "ADDED a"]);

  api.holdWatches();
  await wall.advance(600_000 + 30_000);
  expect(failures).toHaveLength(1);
});

test("a watch that its server ended is opened again at once while the cluster's time is paused", async () => {
  const wall = new VirtualClock();
  const { api, clock, create, verbs, heard } = startBy(new AdjustableClock(wall));
  clock.pause();
  await wall.advance(300_000);
  api.endWatches();
  await create("a");
  await wall.settle();
  expect(verbs()).toEqual(["watch", "watch"]);
  expect(heard()).toEqual(["replace 0", "ADDED a"]);
});

test("a failed watch goes on after a rest of wall time while the cluster's time is paused", async () => {
  const wall = new VirtualClock();
  const { api, clock, create, failures, heard } = startBy(new AdjustableClock(wall));
  await wall.settle();
  clock.pause();
  api.endWatches(new Error("connection reset"));
  await create("a");
  await wall.advance(1600);
  expect(failures).toHaveLength(1);
  expect(heard()).toEqual(["replace 0", "ADDED a"]);
});

test("a step of the cluster's time does not shorten a rest", async () => {
  const wall = new VirtualClock();
  const { api, clock, failures, verbs } = startBy(new AdjustableClock(wall));
  await wall.settle();
  api.endWatches(new Error("connection reset"));
  await wall.settle();
  await clock.advance(3600 * 1000);
  expect(failures).toHaveLength(1);
  expect(verbs()).toEqual(["watch"]);
});

test("stopping lets go of the stream, of a rest and of a list, and says nothing more", async () => {
  const { api, clock, stop, running, create, failures, heard } = start();
  await clock.settle();
  heard();
  stop.abort(new Error("enough"));
  await create("a");
  await running;
  expect(api.openWatches).toBe(0);
  expect(failures).toEqual([]);
  expect(heard()).toEqual([]);

  const resting = start();
  resting.api.failures.push(new Error("connection refused"));
  await resting.clock.settle();
  resting.stop.abort();
  await resting.running;
  expect(resting.api.openWatches).toBe(0);
});

test("what the sink throws ends the run and the stream", async () => {
  const api = new ScriptedApi();
  const bug = new Error("a bug");
  const sink = () => {
    throw bug;
  };
  const options = { client: api, resource: configMaps, clock: new VirtualClock(), random: seededRandom(1) };
  await expect(runListWatch({ ...options, sink }, new AbortController().signal)).rejects.toBe(bug);
  expect(api.openWatches).toBe(0);
});

test("the same seed opens the same streams at the same times", async () => {
  const runs = await Promise.all(
    [1, 2].map(async () => {
      const { api, clock } = start();
      const opened: number[] = [];
      const watch = api.watch.bind(api);
      api.watch = <T>(...request: Parameters<typeof watch>) => {
        opened.push(clock.now());
        clock.after(1000 * (request[1].timeoutSeconds ?? 0), () => api.endWatches());
        return watch(...request) as AsyncIterable<WatchEvent<T>>;
      };
      api.endWatches();
      await clock.advance(24 * 3600 * 1000);
      return opened;
    }),
  );
  expect(runs[0]).toEqual(runs[1]);
  expect(runs[0]?.length).toBeGreaterThan(144);
  expect(runs[0]?.length).toBeLessThan(288);
});
