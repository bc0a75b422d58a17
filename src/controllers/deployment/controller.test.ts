import { afterEach, beforeEach, expect, test } from "vitest";
import type { Deployment } from "../../api/generated/apps-v1.ts";
import { isActive, isTerminating } from "../../api/pod-state.ts";
import { deployments, pods, replicaSets } from "../../api/resources.ts";
import { type Cluster, startCluster } from "../../cluster/start-cluster.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";

let cluster: Cluster;
let clock: VirtualClock;
beforeEach(async () => {
  clock = new VirtualClock();
  cluster = await startCluster({ clock, random: seededRandom("deployment") });
  await clock.advance(1000);
});
afterEach(() => cluster.stop());

const web = { namespace: "default", name: "web" };

function create(replicas: number, spec: Partial<Deployment["spec"]> = {}) {
  const labels = { app: "web" };
  const annotations = { "sim.trimtab.dev/terminationDelay": "20s" };
  const template = {
    metadata: { labels, annotations },
    spec: { containers: [{ name: "web", image: "web:1" }] },
  };
  return cluster.client.create(deployments, {
    metadata: web,
    spec: { replicas, selector: { matchLabels: labels }, template, ...spec },
  });
}

const setImage = (image: string) =>
  cluster.client.patch(deployments, web, {
    type: "strategic",
    body: { spec: { template: { spec: { containers: [{ name: "web", image }] } } } },
  });
const scaleTo = (replicas: number) =>
  cluster.client.patch(deployments, web, { type: "merge", body: { spec: { replicas } } });
const stored = () => cluster.client.get(deployments, web);
const reason = ({ status }: Deployment) =>
  status?.conditions?.find(({ type }) => type === "Progressing")?.reason;

async function podCounts() {
  const { items } = await cluster.client.list(pods, { namespace: "default" });
  return { active: items.filter(isActive).length, terminating: items.filter(isTerminating).length };
}

test("a Deployment is rolled out, and rolled over to a new template", async () => {
  await create(4);
  await clock.advance(5000);
  expect((await stored()).status).toMatchObject({
    replicas: 4,
    updatedReplicas: 4,
    availableReplicas: 4,
    terminatingReplicas: 0,
  });
  await setImage("web:2");
  await clock.advance(60_000);
  const { status, metadata } = await stored();
  expect(status).toMatchObject({
    replicas: 4,
    updatedReplicas: 4,
    availableReplicas: 4,
    terminatingReplicas: 0,
  });
  expect(reason(await stored())).toBe("NewReplicaSetAvailable");
  expect(metadata.annotations?.["deployment.kubernetes.io/revision"]).toBe("2");
  const { items } = await cluster.client.list(replicaSets, { namespace: "default" });
  expect(items.map(({ spec }) => spec.replicas).toSorted((a = 0, b = 0) => a - b)).toEqual([0, 4]);
});

test.for([
  { policy: undefined, mostPods: 7 },
  { policy: "TerminationStarted", mostPods: 7 },
  { policy: "TerminationComplete", mostPods: 5 },
])(
  "a rollout of 4 with a surge of 1 and slow ends under $policy has at most $mostPods Pods at a time",
  async ({ policy, mostPods }) => {
    const rollingUpdate = { maxSurge: 1, maxUnavailable: 1 };
    await create(4, {
      strategy: { type: "RollingUpdate", rollingUpdate },
      ...(policy === undefined ? {} : { podReplacementPolicy: policy }),
    });
    await clock.advance(5000);
    await setImage("web:2");
    let most = 0;
    for (let second = 0; second < 180; second++) {
      await clock.advance(1000);
      const { active, terminating } = await podCounts();
      most = Math.max(most, active + terminating);
    }
    if (policy === "TerminationComplete") expect(most).toBe(mostPods);
    else expect(most).toBeGreaterThan(5);
    expect(reason(await stored())).toBe("NewReplicaSetAvailable");
  },
);

test("under TerminationComplete a Deployment is complete only when the last old Pod is gone", async () => {
  await create(2, { podReplacementPolicy: "TerminationComplete", strategy: { type: "Recreate" } });
  await clock.advance(5000);
  await setImage("web:2");
  await clock.advance(10_000);
  expect((await stored()).status).toMatchObject({ terminatingReplicas: 2 });
  expect(await podCounts()).toEqual({ active: 0, terminating: 2 });
  await clock.advance(30_000);
  expect((await stored()).status).toMatchObject({
    updatedReplicas: 2,
    availableReplicas: 2,
    terminatingReplicas: 0,
  });
});

test("a Deployment is scaled up and down to nothing and back", async () => {
  await create(3);
  await clock.advance(5000);
  for (const replicas of [7, 0, 2]) {
    await scaleTo(replicas);
    await clock.advance(60_000);
    expect((await podCounts()).active).toBe(replicas);
  }
});

test("a deleted Deployment takes its ReplicaSets and Pods along", async () => {
  await create(3);
  await clock.advance(5000);
  await cluster.client.delete(deployments, web);
  await clock.advance(60_000);
  expect((await cluster.client.list(replicaSets, { namespace: "default" })).items).toEqual([]);
  expect((await cluster.client.list(pods, { namespace: "default" })).items).toEqual([]);
});
