import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { deletionCostAnnotation } from "../../src/api/deletion-cost.ts";
import { isActive } from "../../src/api/pod-state.ts";
import { deployments, events, pods } from "../../src/api/resources.ts";
import { hasMarkAnnotations } from "../../src/decisions/stock/mark.ts";
import { template, type WebTraits } from "../deployment/builders.ts";
import { changePods } from "./change-pods.ts";
import { eventually } from "./eventually.ts";
import { servePicker } from "./picker-server.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { type Scene, startScene } from "./scene.ts";
import { prepareSteer, type SteeredCluster, startSteer } from "./steer-program.ts";
import type { TrimtabProgram } from "./trimtab-program.ts";

let cluster: RealCluster;
let steered: SteeredCluster;
let steer: TrimtabProgram;
beforeAll(async () => {
  // The stock controllers are not to wait for their own rate limits.
  const fast = ["--kube-api-qps=500", "--kube-api-burst=1000"];
  cluster = await startRealCluster({ controllers: "all", nodes: 5, controllerManagerFlags: fast });
  steered = await prepareSteer(cluster);
  steer = await startSteer(steered);
});
afterAll(() => cluster.stop());

const ordered = { "trimtab.dev/removal-order": "trimtab" };
const complete = { "trimtab.dev/pod-replacement-policy": "TerminationComplete" };
const preferred = "kubernetes.io/prefer-for-scale-down";

const namesOf = (some: readonly Pod[]) => some.map(({ metadata }) => metadata.name).toSorted();

async function patchPods(namespace: string, names: readonly string[], metadata: object): Promise<void> {
  await changePods(cluster.client, { namespace, names }, metadata);
}

async function eventsOf(namespace: string, reason: string): Promise<readonly string[]> {
  const { items } = await cluster.client.list(events, { namespace });
  return items.filter((event) => event.reason === reason).map(({ message = "" }) => message);
}

function withoutMarks(scene: Scene): Promise<true> {
  return eventually("no mark is left", async () =>
    (await scene.pods()).some((pod) => isActive(pod) && hasMarkAnnotations(pod)) ? undefined : true,
  );
}

describe("a scale-down of the stock controllers", () => {
  test("removes exactly the Pods that were decided, of 40 ten, and leaves no mark", async () => {
    const scene = await startScene(cluster, "cut", { replicas: 40, annotations: ordered });
    await scene.settled(40);
    const all = namesOf(await scene.pods());
    const meant = all.filter((_, index) => index % 4 === 1);
    await patchPods("cut", meant, { labels: { [preferred]: "" } });
    await scene.change({ replicas: 30 });
    await scene.settled(30);
    expect(namesOf(await scene.pods())).toEqual(all.filter((name) => !meant.includes(name)));
    await withoutMarks(scene);
    const costs = (await scene.pods()).filter(
      ({ metadata }) => metadata.annotations?.[deletionCostAnnotation],
    );
    expect(costs).toEqual([]);
    const said = await eventually("the event", async () => (await eventsOf("cut", "ScaleDownSteered"))[0]);
    expect(said).toMatch(/^Removing 10 of 40 pods: .*\(preferred\)/);
  });

  test("removes the Pods that a picker chooses", async () => {
    const annotations = await servePicker(
      ({ candidate_pods: candidates, number_of_pods_requested: count }) => ({
        chosen_pods: candidates.toSorted().slice(-count),
      }),
    );
    const scene = await startScene(cluster, "picked", { replicas: 12, annotations });
    await scene.settled(12);
    const all = namesOf(await scene.pods());
    await scene.change({ replicas: 5 });
    await scene.settled(5);
    expect(namesOf(await scene.pods())).toEqual(all.slice(0, 5));
    await withoutMarks(scene);
  });

  test.each([
    [40, 30, 20],
    [40, 18, 12],
  ])("%i → %i → %i at once keeps to the costs that people have set", async (from, ...sizes) => {
    const namespace = `twice-${sizes.join("-")}`;
    const scene = await startScene(cluster, namespace, { replicas: from, annotations: ordered });
    await scene.settled(from);
    const all = namesOf(await scene.pods());
    const dear = all.filter((_, index) => index % 2 === 0);
    const labelled = all.filter((_, index) => index % 4 === 0 || index % 4 === 1);
    await patchPods(namespace, dear, { annotations: { [deletionCostAnnotation]: "5" } });
    await patchPods(namespace, labelled, { labels: { [preferred]: "" } });
    for (const size of sizes) await scene.change({ replicas: size });
    const left = sizes.at(-1) ?? 0;
    await scene.settled(left);
    const names = namesOf(await scene.pods());
    // The cheap go first, and of equals the labelled.
    if (left >= dear.length) expect(names).toEqual(expect.arrayContaining(dear));
    else expect(dear).toEqual(expect.arrayContaining(names));
    const unlabelled = dear.filter((name) => !labelled.includes(name));
    expect(names).toEqual(expect.arrayContaining(unlabelled.slice(0, left)));
    await withoutMarks(scene);
    expect(await eventsOf(namespace, "ScaleDownDiffers")).toEqual([]);
  });

  test("from 1,080 Pods to 30 goes in batches, and every survivor is as decided (C)", async () => {
    const scene = await startScene(cluster, "batches", { replicas: 1080, annotations: ordered });
    await scene.settled(1080);
    const all = namesOf(await scene.pods());
    const survivors = all.filter((_, index) => index % 36 === 7);
    await patchPods(
      "batches",
      all.filter((name) => !survivors.includes(name)),
      { labels: { [preferred]: "" } },
    );
    await scene.change({ replicas: 30 });
    await scene.settled(30);
    expect(namesOf(await scene.pods())).toEqual(survivors);
    await withoutMarks(scene);
  });
});

describe("a rollout of the stock controllers under TerminationComplete", () => {
  test.for<WebTraits & { readonly name: string; readonly most: number }>([
    { name: "surge 2, unavailable 2", replicas: 8, maxSurge: 2, maxUnavailable: 2, most: 10 },
    { name: "surge 0, unavailable 1", replicas: 4, maxSurge: 0, maxUnavailable: 1, most: 4 },
    { name: "25 % of 3", replicas: 3, maxSurge: "25%", maxUnavailable: "25%", most: 4 },
    { name: "Recreate", replicas: 4, strategy: "Recreate", most: 4 },
    { name: "no history", replicas: 4, maxSurge: 1, spec: { revisionHistoryLimit: 0 }, most: 5 },
  ])("has never more Pods than replicas and surge: $name", async ({ name, most, ...traits }) => {
    const namespace = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
    const scene = await startScene(cluster, namespace, { ...traits, annotations: complete, endsIn: "1s" });
    const replicas = traits.replicas ?? 0;
    await scene.settled(replicas);
    await scene.change({ template: template({ image: "web:2", startsIn: "50ms", endsIn: "1s" }) });
    await scene.settled(replicas);
    expect(scene.watch.mostPods()).toBeLessThanOrEqual(most);
  });

  test("is not blocked by a Pod that does not end (A), and is woken when there is room (B)", async () => {
    const scene = await startScene(cluster, "stuck", {
      replicas: 4,
      maxSurge: 1,
      maxUnavailable: 1,
      annotations: complete,
    });
    await scene.settled(4);
    const [stuck] = await scene.pods();
    const name = stuck?.metadata.name ?? "";
    await patchPods("stuck", [name], { annotations: { "sim.trimtab.dev/terminationDelay": "1h" } });
    await cluster.client.delete(pods, { namespace: "stuck", name });
    await scene.change({ template: template({ image: "web:2", startsIn: "50ms", endsIn: "300ms" }) });
    await eventually("a new Pod in place of each old one", async () => {
      const left = (await scene.pods()).filter(({ metadata }) => metadata.name !== name);
      const isNew = left.every(({ spec }) => spec.containers[0]?.image === "web:2");
      return isNew && left.length === 4 ? true : undefined;
    });
    expect(namesOf(await scene.pods())).toContain(name);
    expect(scene.watch.mostPods()).toBeLessThanOrEqual(5);
    // While the Pod ends there is room for two of 7; when it has ended, for all.
    await scene.change({ replicas: 6 });
    await cluster.client.delete(pods, { namespace: "stuck", name }, { gracePeriodSeconds: 0 });
    await scene.settled(6);
    expect(scene.watch.mostPods()).toBeLessThanOrEqual(7);
  });
});

describe("trimtab steer", () => {
  test("refuses wishes that make no sense, where they are written", async () => {
    const annotations = { "trimtab.dev/pod-replacement-policy": "Whenever" };
    await expect(startScene(cluster, "nonsense", { annotations })).rejects.toThrow(
      'metadata.annotations[trimtab.dev/pod-replacement-policy]: Unsupported value: "Whenever": supported values: "TerminationComplete", "TerminationStarted"',
    );
  });

  test("blocks no request while it hangs, is killed, or is away", async () => {
    const scene = await startScene(cluster, "away", {
      replicas: 6,
      annotations: { ...ordered, ...complete },
    });
    const other = await startScene(cluster, "not-asked", { replicas: 6 });
    await Promise.all([scene.settled(6), other.settled(6)]);
    process.kill(steer.pid, "SIGSTOP");
    await other.change({ replicas: 3 });
    await other.settled(3);
    await steer.stop("SIGKILL");
    await scene.change({ replicas: 3 });
    await scene.settled(3);
    await scene.change({ template: template({ image: "web:2", startsIn: "50ms", endsIn: "300ms" }) });
    await scene.settled(3);
    steer = await startSteer(steered);
    await scene.change({ replicas: 2 });
    await scene.settled(2);
    await withoutMarks(scene);
    const at = { namespace: "away", name: "web" };
    expect((await cluster.client.get(deployments, at)).metadata.annotations).toMatchObject(ordered);
  });
});
