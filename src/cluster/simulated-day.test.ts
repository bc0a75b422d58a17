import { expect, test } from "vitest";
import { nodes, pods } from "../api/resources.ts";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { randomInt, seededRandom } from "../machinery/random/random.ts";
import { type Cluster, startCluster } from "./start-cluster.ts";

const hours = 3_600_000;

/** Plays a day in which Pods come and go, and gives everything the API server ever stored, in order. */
async function playDay(seed: string): Promise<readonly string[]> {
  const clock = new VirtualClock();
  const random = seededRandom(seed);
  const cluster = await startCluster({ clock, random });
  const recording = record(cluster);
  const users = random.fork("people");
  for (let quarter = 0; quarter < 96; quarter++) {
    await live(cluster, users, quarter);
    await clock.advance(hours / 4);
  }
  await cluster.stop();
  return recording;
}

/** A quarter of an hour's work: a few Pods are asked for, a few are sent away. */
async function live(
  { client }: Cluster,
  random: ReturnType<typeof seededRandom>,
  quarter: number,
): Promise<void> {
  for (let count = randomInt(random, 4); count > 0; count--) {
    const annotations = { "sim.trimtab.dev/startDelay": `${randomInt(random, 90)}s` };
    const metadata = { generateName: `job-${quarter}-`, namespace: "default", annotations };
    await client.create(pods, { metadata, spec: { containers: [{ name: "c", image: "job" }] } });
  }
  const { items } = await client.list(pods, { namespace: "default" });
  for (const { metadata } of items) if (random.next() < 0.4) await client.delete(pods, metadata);
}

function record({ store }: Cluster): string[] {
  const lines: string[] = [];
  for (const collection of store.collections()) {
    collection.subscribe({ of: "all" }, (events) => {
      for (const { type, record } of events)
        lines.push(`${type} ${collection.name} ${Buffer.from(record.bytes()).toString()}`);
    });
  }
  return lines;
}

test("a simulated day with binder, kubelet and housekeeping leaves the same bytes twice, others for another seed", async () => {
  const first = await playDay("monday");
  expect(first.length).toBeGreaterThan(500);
  expect(await playDay("monday")).toEqual(first);
  expect(await playDay("tuesday")).not.toEqual(first);
});

test("a cluster in virtual time becomes stable: an hour without requests writes nothing", async () => {
  const clock = new VirtualClock();
  const cluster = await startCluster({ clock, random: seededRandom("rest") });
  await cluster.client.create(pods, {
    metadata: { name: "web", namespace: "default" },
    spec: { containers: [{ name: "c", image: "web" }] },
  });
  await clock.advance(60_000);
  const before = (await cluster.client.list(nodes, {})).resourceVersion;
  await clock.advance(hours / 2);
  expect((await cluster.client.list(nodes, {})).resourceVersion).toBe(before);
  await cluster.stop();
});
