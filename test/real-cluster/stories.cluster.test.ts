/** The user stories of the proposals, by name, told by `trimtab steer` beside a stock control plane. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Pod, PodSpec, PodTemplateSpec } from "../../src/api/generated/core-v1.ts";
import { deployments, nodes, pods, replicaSets, services } from "../../src/api/resources.ts";
import { formatTime } from "../../src/api/time.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { template } from "../deployment/builders.ts";
import { changePods } from "./change-pods.ts";
import { eventually } from "./eventually.ts";
import { skipBefore } from "./kubernetes-version.ts";
import { type Asked, type Picked, servePicker } from "./picker-server.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { startScene } from "./scene.ts";
import { prepareSteer, startSteer } from "./steer-program.ts";
import type { TrimtabProgram } from "./trimtab-program.ts";

const rack = "example.com/rack";
/** Racks of different sizes: spreading over nodes does not spread over them. */
const racks = ["a", "a", "a", "a", "b", "c"];
const constraint = { maxSkew: 1, topologyKey: rack, whenUnsatisfiable: "DoNotSchedule" };

let cluster: RealCluster;
let steer: TrimtabProgram;
beforeAll(async () => {
  const controllerManagerFlags = ["--kube-api-qps=500", "--kube-api-burst=1000"];
  cluster = await startRealCluster({
    controllers: "all",
    scheduler: true,
    nodes: racks.length,
    controllerManagerFlags,
  });
  for (const [index, name] of racks.entries()) {
    const body = { metadata: { labels: { [rack]: name } } };
    await cluster.client.patch(nodes, { name: `node-${index + 1}` }, { type: "merge", body });
  }
  const podTopologySpreadArgs = { defaultingType: "List", defaultConstraints: [constraint] };
  const namespaceSelector = { matchLabels: selected };
  const defaultSpread = [{ name: "racks", namespaceSelector, podTopologySpreadArgs }];
  steer = await startSteer(await prepareSteer(cluster, { defaultSpread }));
});
afterAll(() => cluster.stop());

const selected = { spread: "racks" };
const ordered = { "trimtab.dev/removal-order": "trimtab" };
const complete = { "trimtab.dev/pod-replacement-policy": "TerminationComplete" };
const nameOf = ({ metadata }: Pod) => metadata.name;
const countBy = (some: readonly Pod[], wordOf: (pod: Pod) => string) => countOf(some.map(wordOf));

/** A template of Pods that start and end soon, with more in their spec. */
function quickWith(more: Partial<PodSpec>): PodTemplateSpec {
  const made = template({ startsIn: "50ms", endsIn: "300ms" });
  return { ...made, spec: { containers: [], ...made.spec, ...more } };
}

/** The Pods that do the least work: those that are told apart are chosen, the others tied. */
function leastLoaded(loads: ReadonlyMap<string, number>, asked: Asked): Picked {
  const { candidate_pods: candidates, number_of_pods_requested: count } = asked;
  const loadOf = (name: string) => loads.get(name) ?? 0;
  const order = candidates.toSorted((a, b) => loadOf(a) - loadOf(b));
  const last = loadOf(order[count - 1] ?? "");
  const tied = order.filter((name) => loadOf(name) === last);
  return { chosen_pods: order.filter((name) => loadOf(name) < last), tied_pods: tied };
}

describe("KEP-3189, a pod picker", () => {
  test.for([
    { story: "story 1: the workers of Airflow with the fewest tasks go", namespace: "airflow", busy: 4 },
    { story: "story 2: the shards of a game with the fewest users go", namespace: "minecraft", busy: 2 },
    { story: "story 3: the workers of Spark with the fewest tasks go", namespace: "spark", busy: 3 },
  ])("$story, of equals any", async ({ namespace, busy }) => {
    const loads = new Map<string, number>();
    const annotations = await servePicker((asked) => leastLoaded(loads, asked));
    const scene = await startScene(cluster, namespace, { replicas: 6, annotations });
    await scene.settled(6);
    for (const [index, pod] of (await scene.pods()).entries())
      loads.set(nameOf(pod), index < busy ? 10 + index : 0);
    await scene.change({ replicas: busy });
    await scene.settled(busy);
    const left = (await scene.pods()).map(nameOf);
    const idle = new Set([...loads.keys()].slice(busy));
    expect(left.filter((name) => idle.has(name))).toEqual([]);
  });

  test("story 4: a website keeps its distribution over regions", async () => {
    const region = new Map<string, string>();
    const annotations = await servePicker(({ candidate_pods: left, number_of_pods_requested: count }) => {
      const chosen: string[] = [];
      while (chosen.length < count) {
        const kept = left.filter((name) => !chosen.includes(name));
        const sizes = countOf(kept.map((name) => region.get(name) ?? ""));
        const fullest = Math.max(...Object.values(sizes));
        chosen.push(kept.find((name) => sizes[region.get(name) ?? ""] === fullest) ?? "");
      }
      return { chosen_pods: chosen };
    });
    const scene = await startScene(cluster, "website", { replicas: 9, annotations });
    await scene.settled(9);
    const regions = ["north", "north", "north", "north", "north", "south", "south", "west", "west"];
    for (const [index, pod] of (await scene.pods()).entries()) region.set(nameOf(pod), regions[index] ?? "");
    await scene.change({ replicas: 6 });
    await scene.settled(6);
    const left = await scene.pods();
    expect(countBy(left, (pod) => region.get(nameOf(pod)) ?? "")).toEqual({ north: 2, south: 2, west: 2 });
  });
});

function countOf(words: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

describe("KEP-3973, terminating Pods", () => {
  const second = template({ image: "web:2", startsIn: "50ms", endsIn: "2s" });
  const traits = { replicas: 4, maxSurge: 1, maxUnavailable: 1, endsIn: "2s" };

  test("story 1: the number of Pods is predictable", async () => {
    const scene = await startScene(cluster, "predictable", { ...traits, annotations: complete });
    await scene.settled(4);
    await scene.change({ template: second });
    await scene.settled(4);
    expect(scene.watch.mostPods()).toBeLessThanOrEqual(5);
  });

  test("story 2: who does not ask, or asks for TerminationStarted, has fast rollouts as ever", async () => {
    const started = { "trimtab.dev/pod-replacement-policy": "TerminationStarted" };
    for (const [namespace, annotations] of [
      ["fast", {}],
      ["started", started],
    ] as const) {
      const scene = await startScene(cluster, namespace, { ...traits, endsIn: "60s", annotations });
      await scene.settled(4);
      const { metadata } = await scene.change({ template: second });
      await eventually("a new Pod in place of each old one", async () => {
        const { status = {} } = await cluster.client.get(deployments, metadata);
        const isSeen = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
        return isSeen && status.updatedReplicas === 4 && status.availableReplicas === 4 ? true : undefined;
      });
      // The old ones are still there: nothing waited for them.
      expect(scene.watch.mostPods()).toBeGreaterThan(5);
    }
  });

  test("story 3: the status tells Pods that work from Pods that end", async ({ skip }) => {
    skipBefore(35, "terminatingReplicas in the status, unless a feature gate is on", skip);
    const scene = await startScene(cluster, "counted", { ...traits, endsIn: "60s", annotations: ordered });
    await scene.settled(4);
    await scene.change({ replicas: 1 });
    const at = { namespace: "counted", name: "web" };
    await eventually("three Pods are counted as terminating", async () => {
      const { status = {} } = await cluster.client.get(deployments, at);
      return status.replicas === 1 && status.terminatingReplicas === 3 ? true : undefined;
    });
  });
});

test("KEP-2185, story 1: Pods that have been ready for ten hours and for thirteen are of the same age", async () => {
  const namespace = "aged";
  const scene = await startScene(cluster, namespace, { replicas: 9, annotations: ordered });
  await scene.settled(9);
  const now = new WallClock().now();
  for (const [index, { metadata, status }] of (await scene.pods()).entries()) {
    const readySince = formatTime(now - (index % 3 === 0 ? 10 : 13) * 3_600_000);
    const conditions = (status?.conditions ?? []).map((condition) =>
      condition.type === "Ready" ? { ...condition, lastTransitionTime: readySince } : condition,
    );
    const body = { status: { conditions } } as never;
    await cluster.client.patch(pods, metadata, { type: "merge", body, subresource: "status" });
  }
  await scene.change({ replicas: 6 });
  await scene.settled(6);
  const { text } = await steer.read(`/debug/decisions?namespace=${namespace}`);
  const { removals } = JSON.parse(text) as {
    removals: { candidates: { verdict: string; because?: { rule: string } }[] }[];
  };
  const rules = removals.flatMap(({ candidates }) =>
    candidates.filter(({ verdict }) => verdict === "goes").map(({ because }) => because?.rule),
  );
  expect(rules).toHaveLength(3);
  expect(rules).not.toContain("ready-time");
});

test("the label, story 1: an autoscaler labels the Pods that it wants to be removed, ready or not", async () => {
  const namespace = "knative";
  const gate = "serving.example/scaled";
  const spec = { template: quickWith({ readinessGates: [{ conditionType: gate }] }) };
  const scene = await startScene(cluster, namespace, { replicas: 6, annotations: ordered, spec });
  const all = await eventually("six Pods that run", async () => {
    const running = (await scene.pods()).filter(({ status }) => status?.phase === "Running");
    return running.length === 6 ? running.map(nameOf) : undefined;
  });
  const labelled = [all[1], all[4]].map((name) => name ?? "");
  const labels = { "kubernetes.io/prefer-for-scale-down": "" };
  await changePods(cluster.client, { namespace, names: labelled }, { labels });
  await scene.change({ replicas: 4 });
  const left = await eventually("four Pods are left", async () => {
    const some = await scene.pods();
    return some.length === 4 ? some.map(nameOf) : undefined;
  });
  expect(left).toEqual(all.filter((name) => !labelled.includes(name)));
});

describe("KEP-1258, default constraints that kube-scheduler obeys", () => {
  const rackOf = ({ spec }: Pod) =>
    racks[Number((spec.nodeName ?? "").replace("node-", "")) - 1] ?? "nowhere";

  test("story 1: an operator spreads the workloads of the cluster over a topology of their own", async () => {
    const scene = await startScene(cluster, "operated", { replicas: 6, labels: selected });
    await scene.settled(6);
    const placed = await scene.pods();
    expect(countBy(placed, rackOf)).toEqual({ a: 2, b: 2, c: 2 });
    const [replicaSet] = (await cluster.client.list(replicaSets, { namespace: "operated" })).items;
    for (const { metadata, spec } of placed) {
      expect(metadata.annotations).toMatchObject({ "trimtab.dev/default-spread": "racks" });
      expect(spec.topologySpreadConstraints).toEqual([
        { ...constraint, labelSelector: replicaSet?.spec.selector },
      ]);
    }
  });

  test("story 2: the same Pods run elsewhere as they are, and with constraints of their own", async () => {
    const elsewhere = await startScene(cluster, "elsewhere", { replicas: 6 });
    await elsewhere.settled(6);
    // One for each node, by the defaults of kube-scheduler itself.
    expect(countBy(await elsewhere.pods(), rackOf)).toEqual({ a: 4, b: 1, c: 1 });
    const own = {
      maxSkew: 6,
      topologyKey: "kubernetes.io/hostname",
      whenUnsatisfiable: "ScheduleAnyway",
      labelSelector: { matchLabels: { app: "web" } },
    };
    const spec = { template: quickWith({ topologySpreadConstraints: [own] }) };
    const scene = await startScene(cluster, "own", { replicas: 2, spec, labels: selected });
    await scene.settled(2);
    for (const pod of await scene.pods()) expect(pod.spec.topologySpreadConstraints).toEqual([own]);
  });

  test("Pods that a Service selects spread with it; a Pod that nothing selects gets no constraints", async () => {
    const namespace = "selected";
    const scene = await startScene(cluster, namespace, { replicas: 1, labels: selected });
    await scene.settled(1);
    const lone = (name: string) => ({
      metadata: { namespace, name, labels: { app: "lone" } },
      spec: { containers: [{ name: "web", image: "web:1" }] },
    });
    const { spec } = await cluster.client.create(pods, lone("before"));
    expect(spec).not.toHaveProperty("topologySpreadConstraints");
    await cluster.client.create(services, {
      metadata: { namespace, name: "lone" },
      spec: { selector: { app: "lone" }, ports: [{ port: 80 }] },
    });
    const after = await cluster.client.create(pods, lone("after"));
    expect(after.spec.topologySpreadConstraints).toEqual([
      { ...constraint, labelSelector: { matchLabels: { app: "lone" } } },
    ]);
  });
});
