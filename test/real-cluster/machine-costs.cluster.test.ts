import { afterAll, beforeAll, expect, test } from "vitest";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isActive } from "../../src/api/pod-state.ts";
import { events } from "../../src/api/resources.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { oneOf, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { costManager } from "../steering/cost-manager.ts";
import { changePods } from "./change-pods.ts";
import { eventually } from "./eventually.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { startScene } from "./scene.ts";
import { prepareSteer, startSteer } from "./steer-program.ts";

/** `TRIMTAB_MACHINE_COSTS=100` plays so many scale-downs. */
const wanted = Number(process.env["TRIMTAB_MACHINE_COSTS"] ?? 10);
const scenes = 5;
const replicas = 10;

const clock = new WallClock();
let cluster: RealCluster;
beforeAll(async () => {
  const fast = ["--kube-api-qps=500", "--kube-api-burst=1000"];
  cluster = await startRealCluster({ controllers: "all", nodes: 4, controllerManagerFlags: fast });
  await startSteer(await prepareSteer(cluster));
});
afterAll(() => cluster.stop());

const preferred = "kubernetes.io/prefer-for-scale-down";
const isPreferred = ({ metadata }: Pod) => metadata.labels?.[preferred] !== undefined;

/** Scale-downs of one Deployment, in the middle of which a program ranks Pods; returns what it has given up. */
async function play(index: number, rounds: number): Promise<readonly string[]> {
  const namespace = `managed-${index}`;
  const random = seededRandom(namespace);
  const annotations = { "trimtab.dev/removal-order": "trimtab" };
  const scene = await startScene(cluster, namespace, { replicas, annotations });
  const active = async () => (await scene.pods()).filter(isActive);
  const manager = costManager(cluster.client, active);
  for (let round = 0; round < rounds; round++) {
    await scene.settled(replicas);
    await manager.rank();
    const meant = oneOf(await active(), random)?.metadata.name ?? "";
    await changePods(cluster.client, { namespace, names: [meant] }, { labels: { [preferred]: "" } });
    await scene.change({ replicas: replicas - 1 });
    const isInterrupted = round % 2 === 1;
    // It may come while the Pods are marked, and write its rank over a mark.
    await clock.sleep(randomInt(random, 400));
    if (isInterrupted) await manager.rank();
    await scene.settled(replicas - 1);
    if (!isInterrupted) expect((await active()).filter(isPreferred)).toEqual([]);
    await eventually(`costs in ${namespace} as the program wrote them`, async () =>
      (await active()).some(({ metadata }) => metadata.annotations?.["trimtab.dev/decision"] !== undefined)
        ? undefined
        : true,
    );
    await manager.rank();
    await changePods(
      cluster.client,
      { namespace, names: (await active()).filter(isPreferred).map(({ metadata }) => metadata.name) },
      { labels: { [preferred]: null } },
    );
    await scene.change({ replicas });
  }
  return [...manager.lost];
}

test(`a program that writes costs loses no Pod to ${wanted} scale-downs of the stock controllers`, async () => {
  const numbers = Array.from({ length: scenes }, (_, index) => index);
  const lost = await Promise.all(numbers.map((index) => play(index, Math.ceil(wanted / scenes))));
  expect(lost.flat()).toEqual([]);
  const { items } = await cluster.client.list(events, {});
  const unexplained = items.filter(({ reason, type }) => reason === "ScaleDownDiffers" && type === "Warning");
  expect(unexplained.map(({ message }) => message)).toEqual([]);
}, 3_600_000);
