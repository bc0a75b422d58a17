import { afterAll, beforeAll, expect, test } from "vitest";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isBeingDeleted } from "../../src/api/object.ts";
import { isActive } from "../../src/api/pod-state.ts";
import { replicaSets } from "../../src/api/resources.ts";
import { parseTime } from "../../src/api/time.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { type Random, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { template } from "../deployment/builders.ts";
import { changePods } from "./change-pods.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { eventually } from "./eventually.ts";
import { type Scene, startScene } from "./scene.ts";
import { prepareSteer, startSteer } from "./steer-program.ts";
import type { TrimtabProgram } from "./trimtab-program.ts";

const label = "trimtab.dev/protected";
const heldLabel = "trimtab.dev/held-removal";
const limitSeconds = 12;
/** `TRIMTAB_PROTECTED=50` plays so many scale-downs; so many at a time share the machine. */
const wanted = Number(process.env["TRIMTAB_PROTECTED"] ?? 10);
const atATime = 5;

const clock = new WallClock();
let cluster: RealCluster;
let steer: TrimtabProgram;
beforeAll(async () => {
  const fast = ["--kube-api-qps=500", "--kube-api-burst=1000"];
  cluster = await startRealCluster({ controllers: "all", nodes: 3, controllerManagerFlags: fast });
  steer = await startSteer(await prepareSteer(cluster), ["PodRemovalProtection"]);
});
afterAll(() => cluster.stop());

const annotations = {
  "trimtab.dev/removal-order": "trimtab",
  "trimtab.dev/protection-limit": `${limitSeconds}s`,
};

const numbers = Array.from({ length: wanted }, (_, index) => index);
const batches = Array.from({ length: Math.ceil(wanted / atATime) }, (_, index) =>
  numbers.slice(index * atATime, (index + 1) * atATime),
);

test.for(batches)(
  "stock controllers remove no protected Pod before its limit, and reach every size (%j)",
  async (batch) => {
    const asked = await admissions();
    const startedAt = clock.now();
    const reports = await Promise.all(batch.map(play));
    const seconds = (clock.now() - startedAt) / 1000;
    const perSecond = (await admissions(asked)) / batch.length / seconds;
    const problems = reports.flatMap(({ problems: found }) => found);
    expect(problems).toEqual([]);
    const overdue = reports.reduce((sum, report) => sum + report.overdue, 0);
    process.stdout.write(
      `${batch.length} scale-downs in ${seconds.toFixed(1)} s: ${overdue} Pods went at their limit, ` +
        `${perSecond.toFixed(2)} requests a second and workload\n`,
    );
    overdueInAll += overdue;
    expect(perSecond).toBeLessThan(5);
  },
);

let overdueInAll = 0;

test("some of them have waited until the limit: what is said above says something", () => {
  expect(overdueInAll).toBeGreaterThan(0);
});

test("a rollout goes on with younger old Pods while the oldest are protected", async () => {
  const namespace = "third-revision";
  const scene = await startScene(cluster, namespace, {
    replicas: 3,
    annotations: { ...annotations, "trimtab.dev/protection-limit": "10m" },
  });
  await scene.settled(3);
  const oldest = (await scene.pods()).map(({ metadata }) => metadata.name);
  const labelled = (value: string | null) =>
    changePods(cluster.client, { namespace, names: oldest }, { labels: { [label]: value } });
  await labelled("");
  const images = async () =>
    (await scene.pods())
      .filter(isActive)
      .map(({ spec }) => spec.containers[0]?.image ?? "")
      .toSorted()
      .join();
  const roll = async (image: string) => {
    await scene.change({ template: template({ image, startsIn: "50ms", endsIn: "300ms" }) });
    await eventually(`${image} as far as the surge`, async () =>
      (await images()) === `web:1,web:1,web:1,${image}` ? true : undefined,
    );
  };
  await roll("web:2");
  // Without help the stock controller would ask the oldest ReplicaSet alone, and this one would get no Pod.
  await roll("web:3");
  await labelled(null);
  await scene.settled(3);
});

interface Report {
  readonly problems: readonly string[];
  /** How many went although they were protected, since their limit had come. */
  readonly overdue: number;
}

/** One Deployment that is scaled down while some of its Pods are protected, for a while or until the limit. */
async function play(index: number): Promise<Report> {
  const random = seededRandom(`protected scale-down ${index}`);
  const replicas = 3 + randomInt(random, 8);
  const size = randomInt(random, Math.ceil(replicas / 3));
  const namespace = `protected-${index}`;
  const scene = await startScene(cluster, namespace, { replicas, annotations });
  await scene.settled(replicas);
  const names = (await scene.pods()).map(({ metadata }) => metadata.name);
  const busy = names.filter(() => random.next() < 0.7);
  const labelled = (some: readonly string[], value: string | null) =>
    changePods(cluster.client, { namespace, names: some }, { labels: { [label]: value } });
  await labelled(busy, "");
  const scaledAt = clock.now();
  await scene.change({ replicas: size });
  await idle(scene, { busy, random, release: (name) => labelled([name], null) });
  await scene.settled(size);
  const gone = removedWhileProtected(scene, scaledAt);
  const problems = gone.filter(({ waitedMs }) => waitedMs < (limitSeconds - 1) * 1000);
  await eventually(`no hold is left in ${namespace}`, async () => {
    const { items } = await cluster.client.list(replicaSets, { namespace });
    return items.some(({ metadata }) => metadata.labels?.[heldLabel] !== undefined) ? undefined : true;
  });
  return {
    problems: problems.map(({ name, waitedMs }) => `${namespace}: ${name} went after ${waitedMs} ms`),
    overdue: gone.length - problems.length,
  };
}

interface Busy {
  readonly busy: readonly string[];
  readonly random: Random;
  readonly release: (name: string) => Promise<void>;
}

/** Some of the busy Pods become idle one after the other; the others are waited for until the limit. */
async function idle(scene: Scene, { busy, random, release }: Busy): Promise<void> {
  for (const name of busy) {
    if (random.next() < 0.4) continue;
    await clock.sleep(random.next() * 1500);
    const isThere = (await scene.pods()).some((pod) => pod.metadata.name === name && isActive(pod));
    if (isThere) await release(name);
  }
}

/** The Pods whose deletion began while they were protected, and how long after the scale-down. */
function removedWhileProtected({ watch }: Scene, scaledAt: number) {
  const last = new Map<string, Pod>();
  return watch.history().flatMap(({ pod }) => {
    const { name, uid, labels } = pod.metadata;
    const before = last.get(uid);
    last.set(uid, pod);
    if (!isBeingDeleted(pod) || before === undefined || isBeingDeleted(before)) return [];
    return labels?.[label] === undefined ? [] : [{ name, waitedMs: deletedAt(pod) - scaledAt }];
  });
}

/** The time in a Pod is that of its deletion and the grace that it has. */
function deletedAt({ metadata }: Pod): number {
  const grace = metadata.deletionGracePeriodSeconds ?? 0;
  return (parseTime(metadata.deletionTimestamp) ?? 0) - grace * 1000;
}

/** How many shrinks admission has been asked about; the first call asks about all before. */
async function admissions(before = 0): Promise<number> {
  const { text } = await steer.read("/metrics");
  const counted = [...text.matchAll(/^trimtab_steer_admissions_total\{kind="shrink"[^}]*\} (\S+)$/gm)];
  return counted.reduce((sum, [, value]) => sum + Number(value), 0) - before;
}
