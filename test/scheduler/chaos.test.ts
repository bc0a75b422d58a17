import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nodes, pods } from "../../src/api/resources.ts";
import { type Random, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import type { ClientCall } from "../../src/machinery/client/intercept-client.ts";
import { holdWatches, releaseWatches } from "./disturb-watches.ts";
import { nodeDraft, startSchedulerFixture, type SchedulerFixture } from "./fixture.ts";

const inDefault = (name: string) => ({ namespace: "default", name });
const ignore = () => undefined;

/** Does something to the cluster, whatever state it is in. */
async function disturb(fixture: SchedulerFixture, random: Random, step: number): Promise<void> {
  const { client, createPod } = fixture;
  const any = (count: number) => randomInt(random, count);
  switch (any(8)) {
    case 0:
    case 1:
    case 2: {
      const resources = { requests: { cpu: `${1 + any(3)}` } };
      await createPod(`p${step}`, {
        spec: { containers: [{ name: "c", image: "c", resources }] },
      });
      break;
    }
    case 3:
      await client.delete(pods, inDefault(`p${any(step + 1)}`), { gracePeriodSeconds: 0 }).catch(ignore);
      break;
    case 4:
      await client.create(nodes, nodeDraft(`n${any(6)}`, { cpu: "4" })).catch(ignore);
      break;
    case 5:
      await client.delete(nodes, { name: `n${any(6)}` }).catch(ignore);
      break;
    case 6:
      holdWatches(fixture, any);
      break;
    case 7:
      releaseWatches(fixture, any);
      break;
    default:
  }
  await fixture.clock.advance(any(3) * 700);
}

/** Breaks one request in three until told to stop. */
function beRough({ scheduler }: SchedulerFixture, random: Random): () => void {
  const breaks = ({ verb }: ClientCall) => (verb === "bind" || verb === "patch") && random.next() < 0.3;
  return scheduler.failRequests((request) => (breaks(request) ? new Error("connection reset") : undefined));
}

async function expectOrder({ client, metrics }: SchedulerFixture): Promise<void> {
  const { items } = await client.list(pods, { namespace: "default" });
  const waiting = items.filter(({ spec }) => spec.nodeName === undefined);
  expect(waiting.map(({ metadata }) => metadata.name)).toEqual([]);
  const requested = new Map<string, number>();
  for (const { spec } of items) {
    const { nodeName = "", containers } = spec;
    const cpu = Number(containers[0]?.resources?.requests?.["cpu"]);
    requested.set(nodeName, (requested.get(nodeName) ?? 0) + cpu);
  }
  for (const cpu of requested.values()) expect(cpu).toBeLessThanOrEqual(4);
  expect(metrics.value("scheduler_cache_size", { type: "assumed_pods" })).toBe(0);
  expect(metrics.value("scheduler_cache_size", { type: "pods" })).toBe(items.length);
}

test("whatever breaks, in the end every Pod has a node, and no node more than it has room for", () =>
  fc.assert(
    fc.asyncProperty(fc.nat(1e6), async (seed) => {
      const random = seededRandom(seed);
      const fixture = await startSchedulerFixture({
        seed: String(seed),
        nodes: [nodeDraft("n0", { cpu: "4" })],
      });
      const relent = beRough(fixture, random);
      for (let step = 0; step < 40; step++) await disturb(fixture, random, step);

      relent();
      fixture.scheduler.releaseWatches();
      for (let index = 0; index < 40; index++)
        await fixture.client.create(nodes, nodeDraft(`spare${index}`, { cpu: "4" }));
      await fixture.clock.advance(120_000);
      await expectOrder(fixture);
    }),
    { numRuns: 15 },
  ));
