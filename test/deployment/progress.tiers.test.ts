import { expect, test } from "vitest";
import type { DeploymentCondition } from "../../src/api/generated/apps-v1.ts";
import { replicaSets } from "../../src/api/resources.ts";
import { apiFailure } from "../../src/machinery/client/api-error.ts";
import { podCount } from "./pod-census.ts";
import { policyCases, startUnder } from "./policy-cases.ts";
import {
  deploy,
  deployed,
  eventsOf,
  evict,
  patch,
  podsOf,
  progressOf,
  reasonsOf,
  revisions,
  scaleTo,
  setImage,
  statusOf,
  stored,
} from "./web.ts";
import { startDeploymentFixture, type DeploymentFixture } from "./fixture.ts";

async function condition(fixture: DeploymentFixture, type: string): Promise<DeploymentCondition | undefined> {
  return (await statusOf(fixture)).conditions?.find((entry) => entry.type === type);
}

test.for(policyCases)(
  "a rollout without progress times out at its deadline, and is redeemed by Pods that become ready, $under",
  async (policyCase) => {
    const fixture = await startUnder(policyCase);
    const { policy } = policyCase;
    await deploy(fixture, { policy, readyIn: "30s", spec: { progressDeadlineSeconds: 3 } });
    await fixture.clock.advance(2000);
    expect(await condition(fixture, "Progressing")).toMatchObject({
      status: "True",
      reason: "ReplicaSetUpdated",
    });
    await fixture.clock.advance(6000);
    const [replicaSet] = await revisions(fixture);
    expect(await condition(fixture, "Progressing")).toMatchObject({
      status: "False",
      reason: "ProgressDeadlineExceeded",
      message: `ReplicaSet "${replicaSet?.metadata.name}" has timed out progressing.`,
    });
    expect(reasonsOf(fixture)).toEqual(["stuck: 0 of 3 available after 3 s without progress"]);
    await fixture.clock.advance(30_000);
    expect(await condition(fixture, "Progressing")).toMatchObject({
      status: "True",
      reason: "NewReplicaSetAvailable",
      message: `ReplicaSet "${replicaSet?.metadata.name}" has successfully progressed.`,
    });
  },
);

test.for(policyCases)(
  "once a rollout is done, Pods that fail later do not undo it, $under",
  async (policyCase) => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, { policy: policyCase.policy, spec: { progressDeadlineSeconds: 5 } });
    await evict(fixture, await podsOf(fixture), "1s");
    await fixture.clock.advance(100);
    expect((await statusOf(fixture)).availableReplicas).toBeUndefined();
    await fixture.clock.advance(60_000);
    expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
  },
);

// Old Pods that end after the deadline are progress only to those who wait for them.
test.for(policyCases)("terminating Pods and the progress deadline $under", async (policyCase) => {
  const { policy, effective } = policyCase;
  const fixture = await startUnder(policyCase);
  await deployed(fixture, {
    policy,
    maxSurge: 1,
    maxUnavailable: 3,
    endsIn: "60s",
    spec: { progressDeadlineSeconds: 20 },
  });
  await setImage(fixture, "web:2", { readyIn: "never" });
  await fixture.clock.advance(40_000);
  expect(await podCount(fixture)).toBe(effective === "TerminationComplete" ? "1+3T" : "3+3T");
  expect(progressOf(await stored(fixture))).toBe("ProgressDeadlineExceeded");
  await fixture.clock.advance(22_000);
  expect((await statusOf(fixture)).terminatingReplicas).toBe(0);
  expect(progressOf(await stored(fixture))).toBe(
    effective === "TerminationComplete" ? "ReplicaSetUpdated" : "ProgressDeadlineExceeded",
  );
});

test.for(policyCases)(
  "a rollout is done when its Pods are available, or all old ones are gone, $under",
  async (policyCase) => {
    const { policy, effective } = policyCase;
    const fixture = await startUnder(policyCase);
    const slow = { endsIn: "60s" };
    await deployed(fixture, { policy, maxSurge: "100%", ...slow });
    await setImage(fixture, "web:2", slow);
    await fixture.clock.advance(10_000);
    expect(await statusOf(fixture)).toMatchObject({
      replicas: 3,
      updatedReplicas: 3,
      availableReplicas: 3,
      terminatingReplicas: 3,
    });
    const isDone = async () => progressOf(await stored(fixture)) === "NewReplicaSetAvailable";
    expect(await isDone()).toBe(effective !== "TerminationComplete");
    if (effective === "TerminationComplete") {
      expect(reasonsOf(fixture)[0]).toBe("complete once 3 terminating Pods are gone");
    }
    await fixture.clock.advance(60_000);
    expect(await isDone()).toBe(true);
  },
);

test.for(policyCases)(
  "a scale in the midst of a rollout does not time out, however long it is held back, $under",
  async (policyCase) => {
    const fixture = await startUnder(policyCase);
    await deployed(fixture, {
      policy: policyCase.policy,
      replicas: 6,
      maxSurge: 3,
      maxUnavailable: 0,
      spec: { progressDeadlineSeconds: 60 },
    });
    await setImage(fixture, "web:2", { readyIn: "20s" });
    await fixture.clock.advance(2000);
    const victims = (await podsOf(fixture)).filter((pod) => pod.spec.containers?.[0]?.image === "web:1");
    for (const [index, pod] of victims.slice(0, 5).entries())
      await evict(fixture, [pod], `${(index + 1) * 40}s`);
    await fixture.clock.advance(1000);
    await scaleTo(fixture, 8);
    const reasons = new Set<string | undefined>();
    for (let second = 0; second < 600; second++) {
      await fixture.clock.advance(1000);
      reasons.add(progressOf(await stored(fixture)));
    }
    expect([...reasons]).not.toContain("ProgressDeadlineExceeded");
    expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
  },
);

test("Pods that a quota refuses are a ReplicaFailure of the Deployment, as long as it lasts", async () => {
  const fixture = await startDeploymentFixture();
  const allow = fixture.controllers.failRequests(({ verb, collection }) =>
    verb === "create" && collection === "pods"
      ? apiFailure(403, "Forbidden", "exceeded quota: small")
      : undefined,
  );
  await deploy(fixture);
  await fixture.clock.advance(10_000);
  expect(await condition(fixture, "ReplicaFailure")).toMatchObject({
    status: "True",
    reason: "FailedCreate",
    message: expect.stringContaining("exceeded quota: small"),
  });
  allow();
  await fixture.clock.advance(20 * 60_000);
  expect(await condition(fixture, "ReplicaFailure")).toBeUndefined();
  expect(await podCount(fixture)).toBe("3");
});

test("a ReplicaSet that a quota refuses is reported in an event and retried", async () => {
  const fixture = await startDeploymentFixture();
  const allow = fixture.controllers.failRequests(({ verb, collection }) =>
    verb === "create" && collection === "replicasets.apps"
      ? apiFailure(403, "Forbidden", "exceeded quota")
      : undefined,
  );
  await deploy(fixture);
  await fixture.clock.advance(1000);
  const progressing = await condition(fixture, "Progressing");
  expect(progressing).toMatchObject({ status: "False", reason: "ReplicaSetCreateError" });
  expect(progressing?.message).toMatch(/^Failed to create new replica set "web-\w+": exceeded quota$/);
  expect((await eventsOf(fixture, "ReplicaSetCreateError")).map(({ type }) => type)).toEqual(["Warning"]);
  allow();
  await fixture.clock.advance(60_000);
  expect(await podCount(fixture)).toBe("3");
  expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
});

test("without a deadline nothing is said about progress", async () => {
  const fixture = await startDeploymentFixture();
  await deploy(fixture, { readyIn: "never", spec: { progressDeadlineSeconds: 2_147_483_647 } });
  await fixture.clock.advance(3600_000);
  expect(await condition(fixture, "Progressing")).toBeUndefined();
  expect(await condition(fixture, "Available")).toMatchObject({ status: "False" });
});

test("writes that conflict with those of another client are repeated until they succeed", async () => {
  const fixture = await startDeploymentFixture();
  let refusals = 5;
  fixture.controllers.failRequests(({ verb }) =>
    verb === "update" && refusals-- > 0 ? apiFailure(409, "Conflict", "try again") : undefined,
  );
  await deployed(fixture);
  await patch(fixture, { metadata: { annotations: { team: "shop" } } });
  await fixture.clock.advance(5000);
  const { items } = await fixture.client.list(replicaSets, {});
  expect(items.map(({ metadata }) => metadata.annotations?.["team"])).toEqual(["shop"]);
});
