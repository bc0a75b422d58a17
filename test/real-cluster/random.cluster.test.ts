import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import type { Deployment, ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Event } from "../../src/api/generated/core-v1.ts";
import { deletionCostAnnotation } from "../../src/api/deletion-cost.ts";
import { isActive } from "../../src/api/pod-state.ts";
import { deployments, events, pods, replicaSets } from "../../src/api/resources.ts";
import { budgetOf } from "../../src/decisions/rollout/budget.ts";
import type { RemovalRecord } from "../../src/decisions/explain/removal-record.ts";
import { hasMarkAnnotations } from "../../src/decisions/stock/mark.ts";
import { oneOf, type Random, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { template, type WebTraits } from "../deployment/builders.ts";
import { onLoadedMachine } from "../../bench/load.ts";
import { sparedBecameReady } from "../steering/became-ready.ts";
import { changePods } from "./change-pods.ts";
import { eventually } from "./eventually.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { type Scene, startScene } from "./scene.ts";
import { prepareSteer, startSteer } from "./steer-program.ts";
import type { TrimtabProgram } from "./trimtab-program.ts";

const wishes = {
  "trimtab.dev/removal-order": "trimtab",
  "trimtab.dev/pod-replacement-policy": "TerminationComplete",
};
const most = 12;
/** `TRIMTAB_SCALE_DOWNS=300` plays so many instead of thirty, beside a busy program per core. */
const wanted = Number(process.env["TRIMTAB_SCALE_DOWNS"] ?? 30);
const isLong = process.env["TRIMTAB_SCALE_DOWNS"] !== undefined;
const quick = { startsIn: "50ms", endsIn: "400ms" };

/** One scene of each at the same time is the load. */
const shapes: readonly WebTraits[] = [
  { maxSurge: 2, maxUnavailable: 2 },
  { maxSurge: 0, maxUnavailable: 1 },
  { maxSurge: "25%", maxUnavailable: "25%" },
  { maxSurge: 1, maxUnavailable: 0, spec: { revisionHistoryLimit: 0 } },
  { strategy: "Recreate" },
];

interface Round {
  readonly cluster: RealCluster;
  readonly scene: Scene;
  readonly random: Random;
}

const sizeIn = (random: Random) => 1 + randomInt(random, most - 1);
const roll = ({ random, scene }: Round) =>
  scene.change({ template: template({ ...quick, image: `web:${randomInt(random, 5)}` }) });

async function drawPods({ scene, random }: Round, outOf: number): Promise<readonly string[]> {
  const active = (await scene.pods()).filter(isActive);
  return active.map(({ metadata }) => metadata.name).filter(() => randomInt(random, outOf) === 0);
}

/** What users do, by name; every other round is a scale-down of Pods with labels and costs. */
const rounds: Readonly<Record<string, (round: Round) => Promise<unknown>>> = {
  flap: async ({ scene, random }) => {
    for (let time = 0; time < 3; time++) await scene.change({ replicas: sizeIn(random) });
  },
  roll,
  "roll and scale": async (round) => {
    await roll(round);
    await round.scene.change({ replicas: sizeIn(round.random) });
  },
  pause: async (round) => {
    await round.scene.change({ paused: true });
    await roll(round);
    await round.scene.change({ replicas: sizeIn(round.random) });
    await round.scene.change({ paused: false });
  },
  undo: async (round) => {
    const old = oneOf(await round.scene.replicaSets(), round.random);
    if (old !== undefined) await undoTo(old, round);
  },
  "scale a ReplicaSet": async ({ cluster, scene, random }) => {
    const { namespace } = scene;
    const name = oneOf(await scene.replicaSets(), random)?.metadata.name;
    const body = { spec: { replicas: randomInt(random, most) } };
    if (name !== undefined)
      await cluster.client.patch(replicaSets, { namespace, name }, { type: "merge", body });
  },
};

/** As `kubectl rollout undo` does it: the template and the annotations of an old ReplicaSet. */
async function undoTo({ metadata, spec }: ReplicaSet, { cluster, scene }: Round): Promise<void> {
  const { "pod-template-hash": _, ...labels } = spec.template?.metadata?.labels ?? {};
  const undone = { ...spec.template, metadata: { ...spec.template?.metadata, labels } };
  const annotations = Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(
      ([name]) => !name.startsWith("deployment.kubernetes.io"),
    ),
  );
  await cluster.client.patch(
    deployments,
    { namespace: scene.namespace, name: "web" },
    {
      type: "json",
      operations: [
        { op: "replace", path: "/spec/template", value: undone as never },
        { op: "replace", path: "/metadata/annotations", value: annotations },
      ],
    },
  );
}

async function scaleDown(round: Round): Promise<void> {
  const { cluster, scene, random } = round;
  const { namespace } = scene;
  await changePods(
    cluster.client,
    { namespace, names: await drawPods(round, 3) },
    { labels: { "kubernetes.io/prefer-for-scale-down": "" } },
  );
  const cost = oneOf(["7", "-3", "2147483647", "-2147483648"], random);
  await changePods(
    cluster.client,
    { namespace, names: await drawPods(round, 4) },
    { annotations: { [deletionCostAnnotation]: cost } },
  );
  const size = sizeIn(random);
  await scene.change({ replicas: size });
  await scene.settled(size);
}

const limitOf = (deployment: Deployment) => budgetOf(deployment, defaultFeatureGates).maxReplicas;

/** Runs rounds in a namespace; returns those in which there were more Pods than the Deployment might have. */
async function play(cluster: RealCluster, name: string, count: number): Promise<readonly string[]> {
  const shape = shapes[Number(name.split("-")[1]) % shapes.length] ?? {};
  const random = seededRandom(name);
  const scene = await startScene(cluster, name, { replicas: most, ...quick, ...shape, annotations: wishes });
  const exceeded: string[] = [];
  let deployment = await scene.settled(most);
  for (let index = 0; index < count; index++) {
    scene.watch.startAnew();
    const limits = [limitOf(deployment)];
    const round: Round = { cluster, random, scene: { ...scene, change: changeAndRemember } };
    async function changeAndRemember(spec: object) {
      const changed = await scene.change(spec);
      limits.push(limitOf(changed));
      return changed;
    }
    const [what, act] = oneOf(Object.entries(rounds), random) ?? ["", roll];
    await scaleDown(round);
    await act(round);
    await round.scene.change({ replicas: most });
    deployment = await scene.settled(most);
    const limit = Math.max(...limits);
    if (scene.watch.mostPods() > limit) exceeded.push(`${what}: ${scene.watch.mostPods()} of ${limit}`);
  }
  return exceeded;
}

/** What was said in the namespace of an event, in order. */
function storyOf({ metadata, message = "" }: Event, all: readonly Event[]): string {
  const said = all
    .filter((each) => each.metadata.namespace === metadata.namespace)
    .map((each) => `${each.lastTimestamp ?? each.eventTime ?? ""} ${each.reason}: ${each.message}`)
    .toSorted();
  return [message, ...said].join("\n");
}

describe.for([
  { control: "a stock control plane", gates: {}, scenes: 10, perScene: Math.ceil(wanted / 10) },
  {
    control: "one without terminatingReplicas",
    gates: { DeploymentReplicaSetTerminatingReplicas: false },
    scenes: 2,
    perScene: 2,
  },
])("$control", ({ gates, scenes, perScene }) => {
  let cluster: RealCluster;
  let steer: TrimtabProgram;
  beforeAll(async () => {
    const controllerManagerFlags = ["--kube-api-qps=500", "--kube-api-burst=1000"];
    cluster = await startRealCluster({ controllers: "all", nodes: 5, gates, controllerManagerFlags });
    steer = await startSteer(await prepareSteer(cluster));
  });
  afterAll(() => cluster.stop());

  test(`removes what was decided and keeps to the budget, whatever users do, ${scenes * perScene} times`, async ({
    annotate,
  }) => {
    const names = Array.from({ length: scenes }, (_, index) => `random-${index}`);
    const all = () => Promise.all(names.map((name) => play(cluster, name, perScene)));
    const exceeded = await (isLong ? onLoadedMachine(all, { mostSeconds: 3600 }) : all());
    expect(exceeded.flat()).toEqual([]);
    await eventually("no mark is left", async () => {
      const { items } = await cluster.client.list(pods, {});
      return items.some((pod) => isActive(pod) && hasMarkAnnotations(pod)) ? undefined : true;
    });
    const { removals } = JSON.parse((await steer.read("/debug/decisions")).text) as {
      removals: RemovalRecord[];
    };
    const { items } = await cluster.client.list(events, {});
    const differing = items.filter(
      ({ reason, involvedObject, message = "" }) =>
        reason === "ScaleDownDiffers" &&
        involvedObject.kind === replicaSets.kind &&
        !sparedBecameReady(message, removals),
    );
    for (const event of differing) {
      const story = storyOf(event, items);
      await annotate(story, "warning");
      // Annotations of a test that passes are not printed, and the cluster is gone afterwards.
      process.stdout.write(`${story}\n\n`);
    }
    const decisions = (await steer.read("/metrics")).text.matchAll(
      /^trimtab_steer_decisions_total\{.*\} (\d+)$/gm,
    );
    const total = [...decisions].reduce((sum, [, count]) => sum + Number(count), 0);
    expect(total).toBeGreaterThanOrEqual(scenes * perScene);
    process.stdout.write(`${total} decisions in ${scenes * perScene} rounds, ${differing.length} wrong\n`);
    // None is aimed at. On a machine that does much else, one in a hundred was seen, and is reported.
    expect(differing.length).toBeLessThanOrEqual(Math.ceil(total / 100));
  }, 3_600_000);
});
