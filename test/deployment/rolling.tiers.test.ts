import { describe, expect, test } from "vitest";
import { deployments, pods, replicaSets } from "../../src/api/resources.ts";
import { startPodCensus } from "./pod-census.ts";
import { policyCases, startUnder } from "./policy-cases.ts";
import { at } from "./builders.ts";
import {
  deploy,
  deployed,
  eventsOf,
  imageOf,
  limitsOf,
  patch,
  podsOf,
  progressOf,
  revisionOf,
  revisions,
  setImage,
  sizes,
  statusOf,
  stored,
} from "./web.ts";
import { startDeploymentFixture } from "./fixture.ts";

test.for(policyCases)(
  "a new Deployment gets revision 1, and a ReplicaSet that carries its notes and its hash, $under",
  async (policyCase) => {
    const fixture = await startUnder(policyCase);
    const { policy } = policyCase;
    const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";
    await deployed(fixture, { policy, annotations: { team: "shop", [lastApplied]: "{}" } });
    expect(revisionOf(await stored(fixture))).toBe(1);

    const [replicaSet] = await revisions(fixture);
    const { metadata, spec } = replicaSet ?? expect.fail("no ReplicaSet");
    expect(metadata.annotations).toMatchObject({ team: "shop" });
    expect(metadata.annotations).not.toHaveProperty([lastApplied]);
    const hash = metadata.name.replace(/^web-/, "");
    const labels = { app: "web", "pod-template-hash": hash };
    expect(metadata.labels).toEqual(labels);
    expect(spec.selector.matchLabels).toEqual(labels);
    expect(spec.template?.metadata?.labels).toEqual(labels);
    expect((await podsOf(fixture)).map((pod) => pod.metadata.labels)).toEqual([labels, labels, labels]);
    expect(metadata.ownerReferences).toMatchObject([
      { kind: "Deployment", name: "web", controller: true, blockOwnerDeletion: true },
    ]);
    expect((await eventsOf(fixture, "ScalingReplicaSet")).map(({ message }) => message)).toEqual([
      `Scaled up replica set ${metadata.name} from 0 to 3`,
    ]);
  },
);

describe.for(policyCases)("$under", (policyCase) => {
  const { policy, effective } = policyCase;
  const ends = "20s";

  test.for([
    { maxSurge: 1, maxUnavailable: 0 },
    { maxSurge: 0, maxUnavailable: 1 },
    { maxSurge: 2, maxUnavailable: 3 },
    { maxSurge: "25%", maxUnavailable: "25%" },
    { maxSurge: "100%", maxUnavailable: 0 },
  ])("a rollout keeps to maxSurge $maxSurge and maxUnavailable $maxUnavailable", async (limits) => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { replicas: 6, policy, endsIn: ends, ...limits });
    const census = await startPodCensus(fixture);
    await setImage(fixture, "web:2", { endsIn: ends });
    await fixture.clock.advance(10 * 60_000);

    const [surge, unavailable] = [limits.maxSurge, limits.maxUnavailable].map((limit, index) =>
      typeof limit === "number" ? limit : [Math.ceil, Math.floor][index]?.((parseInt(limit, 10) * 6) / 100),
    );
    expect(census.mostActive).toBeLessThanOrEqual(6 + (surge ?? 0));
    expect(census.fewestReady).toBeGreaterThanOrEqual(6 - (unavailable ?? 0));
    if (effective === "TerminationComplete") expect(census.mostPods).toBeLessThanOrEqual(6 + (surge ?? 0));

    expect(await sizes(fixture)).toEqual([6, 0]);
    expect((await podsOf(fixture)).map((pod) => pod.spec.containers?.[0]?.image)).toEqual(
      Array(6).fill("web:2"),
    );
    expect(await statusOf(fixture)).toMatchObject({
      replicas: 6,
      updatedReplicas: 6,
      readyReplicas: 6,
      availableReplicas: 6,
      terminatingReplicas: 0,
    });
    expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
  });

  test("going back to an earlier template is a new revision of the old ReplicaSet", async () => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { policy });
    const [first] = await revisions(fixture);
    await setImage(fixture, "web:2");
    await fixture.clock.advance(60_000);
    await setImage(fixture, "web:1");
    await fixture.clock.advance(60_000);
    const [newest, older] = await revisions(fixture);
    expect(newest?.metadata.uid).toBe(first?.metadata.uid);
    expect(newest?.metadata.annotations).toMatchObject({
      "deployment.kubernetes.io/revision": "3",
      "deployment.kubernetes.io/revision-history": "1",
    });
    expect(revisionOf(older ?? expect.fail("no old ReplicaSet"))).toBe(2);
    expect(revisionOf(await stored(fixture))).toBe(3);
    expect(await sizes(fixture)).toEqual([3, 0]);
  });

  test("a rollout that is overtaken by another ends with the last template and nothing of the others", async () => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { policy, replicas: 4, endsIn: ends, maxSurge: 2, maxUnavailable: 1 });
    const census = await startPodCensus(fixture);
    for (const image of ["web:2", "web:3", "web:4"]) {
      await setImage(fixture, image, { endsIn: ends, readyIn: "2s" });
      await fixture.clock.advance(3000);
    }
    await fixture.clock.advance(10 * 60_000);
    expect(await sizes(fixture)).toEqual([4, 0, 0, 0]);
    expect(imageOf((await revisions(fixture))[0] ?? expect.fail("no ReplicaSet"))).toBe("web:4");
    expect(census.mostActive).toBeLessThanOrEqual(6);
    expect(census.fewestReady).toBeGreaterThanOrEqual(3);
    if (effective === "TerminationComplete") expect(census.mostPods).toBeLessThanOrEqual(6);
    expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
  });

  test("a rollout that is taken back half-way waits for the Pods it had already sent away", async () => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { policy, replicas: 4, endsIn: ends, maxSurge: 1, maxUnavailable: 1 });
    const census = await startPodCensus(fixture);
    await setImage(fixture, "web:2", { endsIn: ends });
    await fixture.clock.advance(5000);
    await setImage(fixture, "web:1", { endsIn: ends });
    await fixture.clock.advance(10 * 60_000);
    expect(await sizes(fixture)).toEqual([4, 0]);
    expect(revisionOf(await stored(fixture))).toBe(3);
    if (effective === "TerminationComplete") expect(census.mostPods).toBeLessThanOrEqual(5);
  });

  test("old revisions are kept up to the history limit, and the oldest go first", async () => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { policy, spec: { revisionHistoryLimit: 1 } });
    for (const image of ["web:2", "web:3", "web:4"]) {
      await setImage(fixture, image);
      await fixture.clock.advance(60_000);
    }
    expect((await revisions(fixture)).map(imageOf)).toEqual(["web:4", "web:3"]);
    await patch(fixture, { spec: { revisionHistoryLimit: 0 } });
    await fixture.clock.advance(1000);
    expect((await revisions(fixture)).map(imageOf)).toEqual(["web:4"]);
  });
});

test.for(policyCases)(
  "an old revision stays while its last Pod is ending, unless the gate is off, $under",
  async (policyCase) => {
    const fixture = await startUnder(policyCase);
    const slow = { endsIn: "60s" };
    const { policy, controllerGates } = policyCase;
    await deployed(fixture, { policy, replicas: 1, ...slow, spec: { revisionHistoryLimit: 0 } });
    await setImage(fixture, "web:2", slow);
    await fixture.clock.advance(30_000);
    expect(await sizes(fixture)).toEqual(
      controllerGates.DeploymentPodReplacementPolicy === false ? [1] : [1, 0],
    );
    await fixture.clock.advance(60_000);
    expect(await sizes(fixture)).toEqual([1]);
  },
);

test.for(policyCases)(
  "counters and the Available condition follow readiness and minReadySeconds $under",
  async (policyCase) => {
    const fixture = await startUnder(policyCase);
    const { policy } = policyCase;
    await deploy(fixture, { policy, replicas: 10, readyIn: "10s", spec: { minReadySeconds: 60 } });
    const counters = async () => {
      const { replicas, updatedReplicas, readyReplicas, availableReplicas, unavailableReplicas, ...rest } =
        await statusOf(fixture);
      const available = rest.conditions?.find(({ type }) => type === "Available")?.status;
      return [
        replicas,
        updatedReplicas,
        readyReplicas ?? 0,
        availableReplicas ?? 0,
        unavailableReplicas ?? 0,
        rest.terminatingReplicas,
        available,
      ];
    };
    await fixture.clock.advance(5000);
    expect(await counters()).toEqual([10, 10, 0, 0, 10, 0, "False"]);
    await fixture.clock.advance(10_000);
    expect(await counters()).toEqual([10, 10, 10, 0, 10, 0, "False"]);
    await fixture.clock.advance(60_000);
    expect(await counters()).toEqual([10, 10, 10, 10, 0, 0, "True"]);
  },
);

test.for(policyCases)(
  "a rollout with a broken revision keeps what works and says what it waits for $under",
  async (policyCase) => {
    const fixture = await startUnder(policyCase);
    const { policy } = policyCase;
    await deployed(fixture, { policy, replicas: 10, maxSurge: 3, maxUnavailable: 2 });
    const census = await startPodCensus(fixture);
    await setImage(fixture, "web:2", { readyIn: "never" });
    await fixture.clock.advance(5 * 60_000);
    expect(await sizes(fixture)).toEqual([5, 8]);
    expect(census.fewestReady).toBe(8);
    expect(limitsOf(fixture).map(({ size, reason }) => `${size}: ${reason}`)).toEqual([
      "5: waits for Pods to go: 13 Pods reach 10 replicas + maxSurge 3",
      "8: waits for Pods to become available: 8 available, and 10 replicas − maxUnavailable 2 must stay",
    ]);

    await setImage(fixture, "web:1");
    await fixture.clock.advance(60_000);
    expect(await sizes(fixture)).toEqual([10, 0]);
  },
);

test.for(policyCases)(
  "at any moment of a rollout the record says what it waits for, with its numbers, $under",
  async (policyCase) => {
    const { policy, effective } = policyCase;
    const fixture = await startUnder(policyCase);
    const slow = { endsIn: "60s" };
    await deployed(fixture, { policy, replicas: 4, maxSurge: 0, maxUnavailable: 2, ...slow });
    await setImage(fixture, "web:2", { ...slow, readyIn: "60s" });
    await fixture.clock.advance(10_000);
    expect(limitsOf(fixture).map(({ size, reason }) => `${size}: ${reason}`)).toEqual([
      effective === "TerminationComplete"
        ? "0: waits for 2 terminating Pods: 2 Pods + 2 terminating reach 4 replicas"
        : "2: waits for Pods to go: 4 Pods reach 4 replicas",
      "2: waits for Pods to become available: 2 available, and 4 replicas − maxUnavailable 2 must stay",
    ]);
  },
);

test.for(policyCases)(
  "a restart is a rollout, and a change of anything but the template is none $under",
  async (policyCase) => {
    const fixture = await startUnder(policyCase);
    const { policy } = policyCase;
    await deployed(fixture, { policy });
    const restartedAt = { "kubectl.kubernetes.io/restartedAt": "2026-01-01T00:00:00Z" };
    await patch(fixture, { spec: { template: { metadata: { annotations: restartedAt } } } });
    await fixture.clock.advance(60_000);
    expect(revisionOf(await stored(fixture))).toBe(2);
    await patch(fixture, { spec: { minReadySeconds: 1, revisionHistoryLimit: 3 } });
    await fixture.clock.advance(60_000);
    expect(revisionOf(await stored(fixture))).toBe(2);
    expect((await revisions(fixture))[0]?.spec.minReadySeconds).toBe(1);
    const { metadata, status } = await stored(fixture);
    expect(status?.observedGeneration).toBe(metadata.generation);
  },
);

test("a deleted Deployment takes its ReplicaSets and Pods along; an orphaning one leaves them", async () => {
  const fixture = await startDeploymentFixture();
  await deployed(fixture);
  await fixture.client.delete(deployments, at("web"), { propagationPolicy: "Orphan" });
  await fixture.clock.advance(5000);
  expect(await sizes(fixture)).toEqual([3]);
  await deployed(fixture);
  expect(await sizes(fixture)).toEqual([3]);
  await fixture.client.delete(deployments, at("web"));
  await fixture.clock.advance(60_000);
  expect((await fixture.client.list(replicaSets, {})).items).toEqual([]);
  expect((await fixture.client.list(pods, {})).items).toEqual([]);
});
