import { expect, test } from "vitest";
import { podCount } from "./pod-census.ts";
import {
  deploy,
  deployed,
  eventsOf,
  evict,
  marks,
  patch,
  podsOf,
  progressOf,
  revisions,
  scaleTo,
  setImage,
  sizes,
  statusOf,
  stored,
} from "./web.ts";
import { restart, startDeploymentFixture, type DeploymentFixture } from "./fixture.ts";

const policyOff = { DeploymentPodReplacementPolicy: false };
const countsOff = { ...policyOff, DeploymentReplicaSetTerminatingReplicas: false };

const policyOf = async (fixture: DeploymentFixture) => (await stored(fixture)).spec.podReplacementPolicy;

async function terminatingCounts(fixture: DeploymentFixture): Promise<readonly unknown[]> {
  const [newest] = await revisions(fixture);
  return [(await statusOf(fixture)).terminatingReplicas, newest?.status?.terminatingReplicas];
}

test("terminating Pods are counted while the gate is on, and are not mentioned while it is off", async () => {
  const off = await startDeploymentFixture({ gates: countsOff });
  await deployed(off, { replicas: 6, endsIn: "3000s" });
  await scaleTo(off, 5);
  await off.clock.advance(5000);
  expect(await podCount(off)).toBe("5+1T");
  expect(await terminatingCounts(off)).toEqual([undefined, undefined]);

  const on = await restart(off);
  await scaleTo(on, 3);
  await on.clock.advance(5000);
  expect(await terminatingCounts(on)).toEqual([3, 3]);

  const again = await restart(on, { gates: countsOff });
  await scaleTo(again, 2);
  await again.clock.advance(5000);
  expect(await terminatingCounts(again)).toEqual([undefined, undefined]);
});

test("a scale that waits finishes when the gate is switched off, and its note does no harm when it is on again", async () => {
  const on = await startDeploymentFixture();
  await deployed(on, {
    policy: "TerminationComplete",
    replicas: 4,
    maxSurge: 0,
    maxUnavailable: 1,
    endsIn: "3000s",
  });
  await scaleTo(on, 2);
  await on.clock.advance(5000);
  await scaleTo(on, 6);
  await on.clock.advance(5000);
  expect(await podCount(on)).toBe("4+2T");
  expect(await marks(on)).toEqual(["2/2/2"]);

  const off = await restart(on, { gates: policyOff });
  await off.clock.advance(5000);
  expect(await podCount(off)).toBe("6+2T");
  expect(await policyOf(off)).toBe("TerminationComplete");
  expect(await marks(off)).toEqual(["6/6/2"]);

  const again = await restart(off);
  await again.clock.advance(5000);
  expect(await marks(again)).toEqual(["6/6"]);
  await setImage(again, "web:2");
  await again.clock.advance(8 * 3600_000); // one Pod at a time, each of which takes 50 minutes to end
  expect(await sizes(again)).toEqual([6, 0]);
  expect(progressOf(await stored(again))).toBe("NewReplicaSetAvailable");
});

test("a rollout that waits goes on without waiting when the gate is switched off, and waits again when it is on", async () => {
  const slow = { endsIn: "3000s" };
  const on = await startDeploymentFixture();
  await deployed(on, { policy: "TerminationComplete", replicas: 4, maxSurge: 0, maxUnavailable: 2, ...slow });
  await setImage(on, "web:2", slow);
  await on.clock.advance(20_000);
  expect(await podCount(on)).toBe("2+2T");
  const off = await restart(on, { gates: policyOff });
  await off.clock.advance(20_000);
  expect(await podCount(off)).toBe("4+4T");
  expect(await sizes(off)).toEqual([4, 0]);
  const again = await restart(off);
  await setImage(again, "web:3", slow);
  await again.clock.advance(20_000);
  // Eight Pods were there already: nothing may be added before some of them are gone.
  expect(await podCount(again)).toBe("2+6T");
  await again.clock.advance(3 * 3600_000);
  expect(await podCount(again)).toBe("4");
});

test("revisions that share a scale which waits get all of it when the gate is switched off, and are tidied when it is on", async () => {
  const on = await startDeploymentFixture();
  const budget = { replicas: 10, maxSurge: 3, maxUnavailable: 2 };
  await deployed(on, { policy: "TerminationComplete", ...budget, endsIn: "3000s" });
  await setImage(on, "web:2", { readyIn: "never" });
  await on.clock.advance(10_000);
  await scaleTo(on, 30);
  await on.clock.advance(10_000);
  expect(await sizes(on)).toEqual([8, 23]);
  expect(await marks(on)).toEqual(["30/33", "10/13/8"]);

  const off = await restart(on, { gates: policyOff });
  await off.clock.advance(10_000);
  expect((await sizes(off)).reduce((sum, size) => sum + size, 0)).toBe(33);
  expect(await marks(off)).toEqual(["30/33", "30/33/8"]);

  const again = await restart(off);
  await again.clock.advance(10_000);
  // Two are still ending, so there is no room; but nothing that was there is taken either.
  expect((await sizes(again)).reduce((sum, size) => sum + size, 0)).toBe(33);
  expect(await marks(again)).toEqual(["30/33", "30/33"]);
});

test("a recreation that waits for old Pods waits with the gate off as well, and when it is on again", async () => {
  const slow = { endsIn: "600s" };
  const on = await startDeploymentFixture();
  await deployed(on, { policy: "TerminationComplete", strategy: "Recreate", replicas: 3, ...slow });
  await setImage(on, "web:2", slow);
  await on.clock.advance(10_000);
  expect(await podCount(on)).toBe("0+3T");
  const off = await restart(on, { gates: policyOff });
  await off.clock.advance(60_000);
  expect(await podCount(off)).toBe("0+3T");
  const again = await restart(off);
  await again.clock.advance(60_000);
  expect(await podCount(again)).toBe("0+3T");
  await again.clock.advance(600_000);
  expect(await podCount(again)).toBe("3");
  expect(progressOf(await stored(again))).toBe("NewReplicaSetAvailable");
});

test("controllers without the gate go by no policy, whatever the API server stores", async () => {
  const skewed = await startDeploymentFixture({ gates: {}, controllerGates: policyOff });
  await deployed(skewed, {
    policy: "TerminationComplete",
    replicas: 4,
    maxSurge: 0,
    maxUnavailable: 2,
    endsIn: "60s",
  });
  expect(await policyOf(skewed)).toBe("TerminationComplete");
  await setImage(skewed, "web:2", { endsIn: "60s" });
  await skewed.clock.advance(10_000);
  expect(await podCount(skewed)).toBe("4+4T");
  expect(await terminatingCounts(skewed)).toEqual([4, 0]);
});

test("an API server without the gate does not let users set the policy, but what is set stays, and may be changed", async () => {
  const off = await startDeploymentFixture({ gates: policyOff });
  await deploy(off, { policy: "TerminationComplete" });
  expect(await policyOf(off)).toBeUndefined();
  await patch(off, { spec: { podReplacementPolicy: "TerminationStarted" } });
  expect(await policyOf(off)).toBeUndefined();

  const on = await restart(off);
  await patch(on, { spec: { podReplacementPolicy: "TerminationStarted" } });
  const again = await restart(on, { gates: policyOff });
  await patch(again, { spec: { replicas: 2 } });
  expect(await policyOf(again)).toBe("TerminationStarted");
  await patch(again, { spec: { podReplacementPolicy: "TerminationComplete" } });
  expect(await policyOf(again)).toBe("TerminationComplete");
  await patch(again, { spec: { podReplacementPolicy: null } });
  expect(await policyOf(again)).toBeUndefined();
});

test("an unknown policy is dropped unread by an API server without the gate, and refused where one is set", async () => {
  const off = await startDeploymentFixture({ gates: policyOff });
  const unknown = { spec: { podReplacementPolicy: "WhenItSuits" } };
  await deploy(off, { spec: unknown.spec });
  await patch(off, unknown);
  expect(await policyOf(off)).toBeUndefined();
  const on = await restart(off);
  await patch(on, { spec: { podReplacementPolicy: "TerminationStarted" } });
  const again = await restart(on, { gates: policyOff });
  await expect(patch(again, unknown)).rejects.toThrow('Unsupported value: "WhenItSuits"');
  expect(await policyOf(again)).toBe("TerminationStarted");
});

test("controllers with the gate go by a policy that an API server without it still stores", async () => {
  const on = await startDeploymentFixture();
  await deployed(on, {
    policy: "TerminationComplete",
    replicas: 4,
    maxSurge: 0,
    maxUnavailable: 1,
    endsIn: "60s",
  });
  const skewed = await restart(on, { gates: policyOff, controllerGates: {} });
  await scaleTo(skewed, 2);
  await skewed.clock.advance(1000);
  await scaleTo(skewed, 4);
  await skewed.clock.advance(1000);
  expect(await podCount(skewed)).toBe("2+2T");
  await skewed.clock.advance(90_000);
  expect(await podCount(skewed)).toBe("4");
});

test("controllers with the gate count Pods where an API server without it hides the counts", async () => {
  const off = await startDeploymentFixture({ gates: countsOff });
  await deployed(off, { replicas: 2 });
  // Such an API server drops counts it does not know from what ReplicaSets report.
  const skewed = await restart(off, {
    gates: { ...policyOff, DeploymentReplicaSetTerminatingReplicas: false },
    controllerGates: {},
  });
  await skewed.clock.advance(5000);
  expect(await terminatingCounts(skewed)).toEqual([undefined, undefined]);
  await patch(skewed, {
    metadata: { annotations: { "trimtab.dev/pod-replacement-policy": "TerminationComplete" } },
  });
  await scaleTo(skewed, 4);
  await skewed.clock.advance(5000);
  expect(await podCount(skewed)).toBe("4");
  expect(await terminatingCounts(skewed)).toEqual([undefined, undefined]);

  const on = await restart(skewed);
  await scaleTo(on, 5);
  await on.clock.advance(10_000);
  expect(await podCount(on)).toBe("5");
  expect(await terminatingCounts(on)).toEqual([0, 0]);
});

test("on the first day with the gate on, rollouts heal by themselves once ReplicaSets have counted", async () => {
  const off = await startDeploymentFixture({ gates: countsOff });
  await deployed(off, { replicas: 4, maxSurge: 1, endsIn: "30s" });
  await off.clock.advance(60_000);
  const on = await restart(off);
  await patch(on, { spec: { podReplacementPolicy: "TerminationComplete", replicas: 6 } });
  await on.clock.advance(10_000);
  expect(await podCount(on)).toBe("6");
  expect(await terminatingCounts(on)).toEqual([0, 0]);
  await setImage(on, "web:2");
  await on.clock.advance(10 * 60_000);
  expect(progressOf(await stored(on))).toBe("NewReplicaSetAvailable");
});

test("where the API server does not know the field, an annotation says the same", async () => {
  const fixture = await startDeploymentFixture({ gates: policyOff, controllerGates: {} });
  const annotations = { "trimtab.dev/pod-replacement-policy": "TerminationComplete" };
  await deployed(fixture, { replicas: 4, maxSurge: 0, maxUnavailable: 2, endsIn: "60s", annotations });
  await setImage(fixture, "web:2", { endsIn: "60s" });
  await fixture.clock.advance(10_000);
  expect(await podCount(fixture)).toBe("2+2T");
  await fixture.clock.advance(10 * 60_000);
  expect(await sizes(fixture)).toEqual([4, 0]);
  expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
});

test("settings come from annotations as well, and the field wins", async () => {
  const fixture = await startDeploymentFixture();
  await deployed(fixture, {
    replicas: 3,
    maxSurge: 0,
    maxUnavailable: 1,
    endsIn: "60s",
    annotations: { "trimtab.dev/pod-replacement-policy": "TerminationComplete" },
  });
  await evict(fixture, (await podsOf(fixture)).slice(0, 1), "60s");
  await fixture.clock.advance(1000);
  await scaleTo(fixture, 5);
  await fixture.clock.advance(1000);
  expect(await podCount(fixture)).toBe("4+1T");
  await patch(fixture, { spec: { podReplacementPolicy: "TerminationStarted" } });
  await fixture.clock.advance(1000);
  expect(await podCount(fixture)).toBe("5+1T");
  expect((await eventsOf(fixture, "ScalingReplicaSet")).length).toBeGreaterThan(0);
});
