import { expect, onTestFinished, test } from "vitest";
import { configMaps } from "../api/resources.ts";
import { type ObservedWorkload, readSummaries } from "../decisions/stock/observation.ts";
import { runController } from "../machinery/controller.ts";
import { silentLogger } from "../machinery/log/logger.ts";
import { type TestCluster, testCluster } from "../testing/test-cluster.ts";
import { ObservationSummaries, summariesController } from "./observation-summaries.ts";

const at = { namespace: "default", name: "observations" };

async function start(data: Readonly<Record<string, string>> = {}): Promise<TestCluster> {
  const cluster = await testCluster({ nodes: 0 });
  onTestFinished(() => cluster.stop());
  await cluster.client.create(configMaps, { metadata: at, data });
  return cluster;
}

/** One copy, which writes what it sees until the test is over. */
function startCopy({ client, clock }: TestCluster, copy: string) {
  const summaries = new ObservationSummaries();
  const ending = new AbortController();
  const spec = summariesController(summaries, { at, copy }, { client });
  const running = runController(spec, { clock, log: silentLogger }, ending.signal);
  const end = async () => {
    ending.abort(new Error("it is over"));
    await running;
  };
  onTestFinished(end);
  return { summaries, end };
}

const removal = (workload: string, seconds: number) =>
  ({
    kind: "removal",
    at: `2026-11-01T00:00:${String(seconds).padStart(2, "0")}Z`,
    workload,
    wouldRemove: ["a"],
    removed: ["b"],
  }) as const;

async function written({
  client,
}: TestCluster): Promise<Readonly<Record<string, readonly ObservedWorkload[]>>> {
  const { data = {} } = await client.get(configMaps, at);
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, readSummaries(text) ?? []]));
}

test("each copy writes what it has seen under its own key, once a minute, and only what is new", async () => {
  const cluster = await start();
  const [one, other] = ["steer-a", "steer/b"].map((copy) => startCopy(cluster, copy));
  one?.summaries.add(removal("shop/web", 1));
  one?.summaries.add(removal("shop/web", 2));
  other?.summaries.add(removal("shop/api", 3));
  await cluster.clock.advance(61_000);
  const first = await written(cluster);
  expect(first["steer-a"]).toMatchObject([{ workload: "shop/web", removals: 2, differing: 2 }]);
  expect(first["steer_b"]).toMatchObject([{ workload: "shop/api", removals: 1 }]);
  const before = cluster.store.revision();
  await cluster.clock.advance(600_000);
  expect(cluster.store.revision()).toBe(before);
});

test("a copy that starts again goes on with what it has written", async () => {
  const cluster = await start();
  const before = startCopy(cluster, "steer-a");
  before.summaries.add(removal("shop/web", 1));
  await cluster.clock.advance(61_000);
  await before.end();
  const after = startCopy(cluster, "steer-a");
  after.summaries.add(removal("shop/web", 2));
  await cluster.clock.advance(61_000);
  expect((await written(cluster))["steer-a"]).toMatchObject([{ workload: "shop/web", removals: 2 }]);
});

test("copies that are long gone are counted together, so that the ConfigMap stays small", async () => {
  const summary = (last: number) => [
    {
      workload: "shop/web",
      removals: 1,
      differing: 0,
      otherPods: 0,
      exceeded: 0,
      mostBeyond: 0,
      first: "0",
      last: `${last}`,
    },
  ];
  const gone = Array.from({ length: 12 }, (_, index) => [
    `gone-${index + 10}`,
    JSON.stringify(summary(index + 10)),
  ]);
  const cluster = await start(Object.fromEntries(gone) as Record<string, string>);
  startCopy(cluster, "steer-a").summaries.add(removal("shop/api", 1));
  await cluster.clock.advance(61_000);
  const data = await written(cluster);
  expect(Object.keys(data)).toHaveLength(10);
  expect(data["earlier"]).toMatchObject([{ removals: 4, last: "13" }]);
  expect(data["gone-10"]).toBeUndefined();
});
