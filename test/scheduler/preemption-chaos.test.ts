import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isBeingDeleted } from "../../src/api/object.ts";
import { nodes, pods, priorityClasses } from "../../src/api/resources.ts";
import type { ClientCall } from "../../src/machinery/client/intercept-client.ts";
import { type Random, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { holdWatches, releaseWatches } from "./disturb-watches.ts";
import { nodeDraft, type SchedulerFixture, startSchedulerFixture } from "./fixture.ts";

const classes = ["low", "middle", "high"];
const initialNodes = ["n0", "n1", "n2"];
const priorityOf = ({ priority = 0 }: Pod["spec"]) => priority;
const cpuOf = ({ spec }: Pod) => Number(spec.containers[0]?.resources?.requests?.["cpu"]);
const cpuOn = (node: string | undefined, all: readonly Pod[]) =>
  all.filter(({ spec }) => spec.nodeName === node).reduce((sum, pod) => sum + cpuOf(pod), 0);
const inDefault = (name: string) => ({ namespace: "default", name });
const ignore = () => undefined;

async function list({ client }: SchedulerFixture) {
  return (await client.list(pods, { namespace: "default" })).items;
}

/** Ends some of the Pods that are being deleted, as their kubelets would. */
async function endPods(fixture: SchedulerFixture, isDue: () => boolean): Promise<void> {
  for (const pod of await list(fixture)) {
    if (isBeingDeleted(pod) && isDue())
      await fixture.client.delete(pods, inDefault(pod.metadata.name), { gracePeriodSeconds: 0 });
  }
}

/** Does something to a cluster that is nearly full. */
async function disturb(fixture: SchedulerFixture, random: Random, step: number): Promise<void> {
  const { client, createPod } = fixture;
  const any = (count: number) => randomInt(random, count);
  switch (any(8)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      const resources = { requests: { cpu: `${1 + any(3)}` } };
      const priorityClassName = classes[any(classes.length)] ?? "";
      const containers = [{ name: "c", image: "c", resources }];
      await createPod(`${priorityClassName}-${step}`, { spec: { containers, priorityClassName } });
      break;
    }
    case 4:
      await client.delete(pods, inDefault(`low-${any(step + 1)}`)).catch(ignore);
      break;
    case 5:
      holdWatches(fixture, any);
      break;
    case 6:
      releaseWatches(fixture, any);
      break;
    default:
      await endPods(fixture, () => any(2) === 0);
  }
  await fixture.clock.advance(any(3) * 700);
}

/** Breaks one request in three until told to stop. */
function beRough({ scheduler }: SchedulerFixture, random: Random): () => void {
  const verbs = new Set(["bind", "patch", "delete"]);
  const breaks = ({ verb }: ClientCall) => verbs.has(verb) && random.next() < 0.3;
  return scheduler.failRequests((request) => (breaks(request) ? new Error("connection reset") : undefined));
}

test("whatever breaks, no Pod of the highest priority is preempted, and with enough room no Pod waits", () =>
  fc.assert(
    fc.asyncProperty(fc.nat(1e6), async (seed) => {
      const random = seededRandom(seed);
      const fixture = await startSchedulerFixture({
        seed: String(seed),
        nodes: initialNodes.map((name) => nodeDraft(name, { cpu: "4" })),
      });
      for (const [value, name] of classes.entries())
        await fixture.client.create(priorityClasses, { metadata: { name }, value: value * 100 });
      const relent = beRough(fixture, random);
      for (let step = 0; step < 40; step++) await disturb(fixture, random, step);
      relent();
      fixture.scheduler.releaseWatches();
      const isHigh = ({ metadata }: Pod) => metadata.name.startsWith("high");
      const created = (await list(fixture)).filter(isHigh).length;

      // Without more room, the important Pods get theirs.
      for (let round = 0; round < 8; round++) {
        await endPods(fixture, () => true);
        await fixture.clock.advance(15_000);
      }
      const settled = await list(fixture);
      const high = settled.filter(isHigh);
      expect(high.filter(isBeingDeleted)).toEqual([]);
      expect(high).toHaveLength(created);
      for (const waiting of settled.filter(({ spec }) => spec.nodeName === undefined)) {
        const others = settled.filter(({ spec }) => priorityOf(spec) >= priorityOf(waiting.spec));
        for (const node of initialNodes) expect(cpuOn(node, others) + cpuOf(waiting)).toBeGreaterThan(4);
      }

      for (let index = 0; index < 30; index++)
        await fixture.client.create(nodes, nodeDraft(`spare${index}`, { cpu: "4" }));
      await fixture.clock.advance(120_000);
      const left = await list(fixture);
      expect(left.filter(({ spec }) => spec.nodeName === undefined)).toEqual([]);
      expect(left.filter(({ status }) => status?.nominatedNodeName !== undefined)).toEqual([]);
      for (const { spec } of left) expect(cpuOn(spec.nodeName, left)).toBeLessThanOrEqual(4);
    }),
    { numRuns: 6 },
  ));
