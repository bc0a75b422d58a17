import { expect, onTestFinished, test } from "vitest";
import { defaultFeatureGates, type FeatureGates } from "../../src/api/feature-gates.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import type { JsonObject } from "../../src/api/json.ts";
import { deployments, nodes, pods, replicaSets, statefulSets } from "../../src/api/resources.ts";
import { scaleDownSpreadAnnotation } from "../../src/api/workload-settings.ts";
import { preferredLabel } from "../../src/decisions/downscale/rules.ts";
import { deployment, type DeploymentTraits } from "../../src/testing/deployment.ts";
import { replicaSet } from "../../src/testing/replica-set.ts";
import { statefulSet } from "../../src/testing/stateful-set.ts";
import { testCluster } from "../../src/testing/test-cluster.ts";
import { LiveCluster } from "../live/live-cluster.ts";
import type { DecisionContext } from "./decision-context.ts";
import { previewPlacements } from "./placement-preview.ts";
import { removalRank } from "./removal.ts";
import { previewScale, type ScalePreview } from "./scale-preview.ts";
import { workloadNamed, type WorkloadName } from "./workloads.ts";

/** A cluster, and the page's view of it by the same client that lists and watches for the browser. */
async function watchedCluster(gates: Partial<FeatureGates> = {}) {
  const cluster = await testCluster({ nodes: 4, zones: 2, gates });
  const ended = new AbortController();
  onTestFinished(async () => {
    ended.abort();
    await cluster.stop();
  });
  const { client, clock } = cluster;
  const live = new LiveCluster({ client, clock, changed: () => undefined });
  void live.run(ended.signal);
  const context = (): DecisionContext => ({
    gates: { ...defaultFeatureGates, ...gates },
    now: clock.now(),
    profile: "trimtab",
  });
  const preview = (name: WorkloadName, replicas: number): ScalePreview => {
    const workload = workloadNamed(name, live.state);
    if (workload === undefined) throw new Error(`the page does not know ${name.name}`);
    const previewed = previewScale(workload, replicas, { objects: live.state.objects, context: context() });
    if (previewed === undefined) throw new Error("there is no preview");
    return previewed;
  };
  return { ...cluster, live, context, preview };
}

const web: WorkloadName = { kind: "Deployment", namespace: "default", name: "web" };
const foretold = ({ removals }: ScalePreview) =>
  removals.map(({ pod, reason }) => ({ pod: pod.metadata.name, reason }));

async function runDeployment(cluster: Awaited<ReturnType<typeof watchedCluster>>, traits: DeploymentTraits) {
  const { metadata, ...rest } = deployment("web", traits);
  const { annotations = {} } = metadata;
  const named = { name: "web", namespace: "default", annotations };
  await cluster.client.create(deployments, { ...rest, metadata: named });
  await cluster.clock.advance(60_000);
}

/** What the controllers recorded of the latest removal. */
const recorded = ({ decisions }: Awaited<ReturnType<typeof watchedCluster>>) =>
  (decisions.removals.find()[0]?.candidates ?? [])
    .filter(({ verdict }) => verdict === "goes")
    .map(({ pod, reason }) => ({ pod, reason }));

test("a preview names the Pods that then go, in their order and with their reasons", async () => {
  const cluster = await watchedCluster();
  await runDeployment(cluster, { replicas: 9 });
  const [first, second, third] = [...cluster.live.state.collections.pods.values()] as [Pod, Pod, Pod];
  const mark = (pod: Pod, body: JsonObject) =>
    cluster.client.patch(
      pods,
      { namespace: "default", name: pod.metadata.name },
      { type: "merge", body: { metadata: body } },
    );
  await mark(first, { annotations: { "controller.kubernetes.io/pod-deletion-cost": "-5" } });
  await mark(second, { labels: { [preferredLabel]: "" } });
  await mark(third, { annotations: { "controller.kubernetes.io/pod-deletion-cost": "7" } });
  await cluster.clock.advance(1000);

  const preview = cluster.preview(web, 4);
  await cluster.client.patch(deployments, web, { type: "merge", body: { spec: { replicas: 4 } } });
  await cluster.clock.advance(100);
  expect(preview.removals).toHaveLength(5);
  expect(foretold(preview)).toEqual(recorded(cluster));
  expect(preview.removals.slice(0, 2).map(({ rule }) => rule)).toEqual(["deletion-cost", "preferred"]);
});

test("a preview of a workload that keeps its domains even names the Pods that then go", async () => {
  const cluster = await watchedCluster();
  await runDeployment(cluster, { replicas: 9, annotations: { [scaleDownSpreadAnnotation]: "true" } });
  const preview = cluster.preview(web, 4);
  await cluster.client.patch(deployments, web, { type: "merge", body: { spec: { replicas: 4 } } });
  await cluster.clock.advance(100);
  expect(preview.removals.map(({ rule }) => rule)).toContain("spread");
  expect(foretold(preview)).toEqual(recorded(cluster));
});

test("a preview passes protected Pods over as the controller does, and says how many are held back", async () => {
  const cluster = await watchedCluster({ PodRemovalProtection: true });
  await runDeployment(cluster, { replicas: 5 });
  const names = [...cluster.live.state.collections.pods.values()].map(({ metadata }) => metadata.name);
  for (const name of names.slice(0, 3)) {
    const body = { metadata: { labels: { "trimtab.dev/protected": "" } } };
    await cluster.client.patch(pods, { namespace: "default", name }, { type: "merge", body });
  }
  await cluster.clock.advance(1000);
  expect(cluster.preview(web, 4)).toMatchObject({ held: [], removals: [{ owner: expect.any(String) }] });
  const preview = cluster.preview(web, 1);
  const [owner] = preview.removals.map((each) => each.owner);
  expect(preview.held).toEqual([
    `2 of the Pods of ${owner} would be held back because Pods are protected, for 30m0s at most.`,
  ]);
  const { objects, collections } = cluster.live.state;
  const [busy, idle] = [names[0], names[4]].map((name) => collections.pods.get(`default/${name}`));
  const [replicaSet] = objects.replicaSets;
  const rank = (pod: Pod | undefined) =>
    pod && replicaSet && removalRank(pod, replicaSet, { objects, context: cluster.context() });
  expect(rank(busy)?.protection).toBe("protected: labelled trimtab.dev/protected");
  expect(rank(idle)?.place).toBeLessThan(2);

  await cluster.client.patch(deployments, web, { type: "merge", body: { spec: { replicas: 1 } } });
  await cluster.clock.advance(100);
  expect(foretold(preview).toSorted((a, b) => a.pod.localeCompare(b.pod))).toEqual(
    recorded(cluster).toSorted((a, b) => a.pod.localeCompare(b.pod)),
  );
  expect(preview.removals.map(({ pod }) => pod.metadata.name).toSorted()).toEqual(names.slice(3).toSorted());
});

test("a preview of a StatefulSet names the ordinals that then go, the highest first", async () => {
  const cluster = await watchedCluster();
  const { metadata: _, ...rest } = statefulSet("db", { replicas: 3 });
  await cluster.client.create(statefulSets, { ...rest, metadata: { name: "db", namespace: "default" } });
  await cluster.clock.advance(60_000);
  const db: WorkloadName = { kind: "StatefulSet", namespace: "default", name: "db" };
  expect(foretold(cluster.preview(db, 1))).toEqual([
    { pod: "db-2", reason: "its ordinal is not one of 0 to 0" },
    { pod: "db-1", reason: "goes in its turn, the highest ordinal first" },
  ]);
  const { removals, because } = cluster.preview(db, 5);
  expect([removals, because]).toEqual([
    [],
    "2 Pods would be created, each once those with lower ordinals are available",
  ]);
});

test("a preview of a growing workload says how many Pods are created", async () => {
  const cluster = await watchedCluster();
  await runDeployment(cluster, { replicas: 2 });
  const { removals, creations } = cluster.preview(web, 5);
  expect([removals, creations.map(({ count }) => count)]).toEqual([[], [3]]);
});

test("a preview in the middle of a rollout spreads the scale over the revisions as the controller does", async () => {
  const cluster = await watchedCluster();
  await runDeployment(cluster, { replicas: 10, minReadySeconds: 30 });
  const template = deployment("web", { image: "nginx:2" }).spec.template;
  await cluster.client.patch(deployments, web, { type: "merge", body: { spec: { template } } as never });
  await cluster.clock.advance(10_000);

  const preview = cluster.preview(web, 4);
  const sizesBefore = cluster.live.state.collections.replicaSets.size;
  await cluster.client.patch(deployments, web, { type: "merge", body: { spec: { replicas: 4 } } });
  await cluster.clock.advance(100);
  const gone = cluster.decisions.removals
    .find()
    .flatMap(({ candidates }) => candidates.filter(({ verdict }) => verdict === "goes"))
    .map(({ pod }) => pod);
  expect(sizesBefore).toBe(2);
  expect(preview.removals.length).toBeGreaterThan(0);
  expect(gone).toEqual(expect.arrayContaining(preview.removals.map(({ pod }) => pod.metadata.name)));
});

test("a ReplicaSet of its own is previewed too, and a picker's answer is not guessed", async () => {
  const cluster = await watchedCluster();
  const picker = { http: { host: "127.0.0.1", port: 9 } };
  const { metadata: _, ...rest } = replicaSet("solo", { size: 4, picker });
  await cluster.client.create(replicaSets, { ...rest, metadata: { name: "solo", namespace: "default" } });
  await cluster.clock.advance(60_000);
  const preview = cluster.preview({ kind: "ReplicaSet", namespace: "default", name: "solo" }, 1);
  expect(preview.pickers).toEqual([
    {
      owner: "solo",
      isOpen: true,
      note: expect.stringContaining("would be asked to choose 3 of 4 Pods") as string,
    },
  ]);
  expect(preview.removals).toHaveLength(3);
});

test.for([
  { name: "to nothing removes all Pods", replicas: 0, want: 3 },
  { name: "to what there is removes none", replicas: 3, want: 0 },
])("a scale $name", async ({ replicas, want }) => {
  const cluster = await watchedCluster();
  await runDeployment(cluster, { replicas: 3 });
  expect(cluster.preview(web, replicas).removals).toHaveLength(want);
});

test("a preview names the nodes that new Pods then get, and says when no node takes them", async () => {
  const cluster = await watchedCluster();
  await runDeployment(cluster, { replicas: 3 });
  const { live, client, clock } = cluster;
  const context: DecisionContext = { gates: defaultFeatureGates, now: clock.now(), profile: "trimtab" };
  const placements = (replicas: number) =>
    previewPlacements(cluster.preview(web, replicas).creations, { objects: live.state.objects, context }, []);
  const nodesInUse = () => [...live.state.collections.pods.values()].map(({ spec }) => spec.nodeName);
  // Three nodes have a Pod each: by their spread, the fourth one is best.
  const [foreseen, ...others] = placements(4);
  expect([foreseen?.asGood, others]).toEqual([0, []]);
  expect(nodesInUse()).not.toContain(foreseen?.node);
  await client.patch(deployments, web, { type: "merge", body: { spec: { replicas: 4 } } });
  await clock.advance(60_000);
  expect(nodesInUse()).toContain(foreseen?.node);
  expect(new Set(placements(8).map(({ node }) => node)).size).toBe(4);
  for (const name of live.state.collections.nodes.keys())
    await client.patch(nodes, { name }, { type: "merge", body: { spec: { unschedulable: true } } });
  await clock.advance(1000);
  expect(placements(8)).toEqual([
    {
      owner: foreseen?.owner,
      asGood: 0,
      comparesSome: false,
      reason: expect.stringContaining("4 node(s) were unschedulable") as string,
    },
  ]);
});
