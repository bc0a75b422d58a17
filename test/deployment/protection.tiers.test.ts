import { expect, test } from "vitest";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isActive } from "../../src/api/pod-state.ts";
import { deployments, pods } from "../../src/api/resources.ts";
import { deployed, eventsOf, podsOf, progressOf, setImage, sizes, stored } from "./web.ts";
import { startDeploymentFixture, type DeploymentFixture } from "./fixture.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { perTier } from "../tier.ts";

const gates = { PodRemovalProtection: true };
const minute = 60_000;

const active = async (fixture: DeploymentFixture) => (await podsOf(fixture)).filter(isActive);

async function protect(
  fixture: DeploymentFixture,
  of: readonly Pod[],
  value: string | null = "",
): Promise<void> {
  const body = { metadata: { labels: { "trimtab.dev/protected": value } } };
  for (const { metadata } of of) await fixture.client.patch(pods, metadata, { type: "merge", body });
  await fixture.clock.settle();
}

const imageOf = ({ spec }: Pod) => spec.containers[0]?.image ?? "";

test("a rollout stops at its surge while all old Pods are protected, and says who is waited for", async () => {
  const fixture = await startDeploymentFixture({ gates });
  await deployed(fixture, {
    replicas: 4,
    maxSurge: 2,
    maxUnavailable: 0,
    spec: { progressDeadlineSeconds: 60 },
  });
  const old = await active(fixture);
  await protect(fixture, old);
  await setImage(fixture, "web:2");
  await fixture.clock.advance(5 * minute);
  const all = await active(fixture);
  expect(all.filter((pod) => imageOf(pod) === "web:2")).toHaveLength(2);
  expect(all).toHaveLength(6);
  const deployment = await stored(fixture);
  expect(progressOf(deployment)).toBe("ReplicaSetUpdated");
  expect(deployment.status?.conditions?.find(({ type }) => type === "Progressing")?.message).toMatch(
    /is progressing\. Waiting for protected Pods of ReplicaSet "web-\w+": \d Pods? (is|are) kept beyond/,
  );
  await protect(fixture, old, null);
  await fixture.clock.advance(2 * minute);
  expect(await sizes(fixture)).toEqual([4, 0]);
  expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
});

test("the limit ends a rollout that is held back", async () => {
  const fixture = await startDeploymentFixture({ gates });
  const created = await deployed(fixture, { replicas: 3, maxSurge: 1, maxUnavailable: 0 });
  await fixture.client.patch(deployments, created.metadata, {
    type: "merge",
    body: { metadata: { annotations: { "trimtab.dev/protection-limit": "5m" } } },
  });
  await protect(fixture, await active(fixture));
  await setImage(fixture, "web:2");
  await fixture.clock.advance(4 * minute);
  expect((await active(fixture)).filter((pod) => imageOf(pod) === "web:1")).toHaveLength(3);
  await fixture.clock.advance(20 * minute);
  expect((await active(fixture)).map(imageOf)).toEqual(["web:2", "web:2", "web:2"]);
});

test("Recreate removes protected Pods, and an event says so", async () => {
  const fixture = await startDeploymentFixture({ gates });
  await deployed(fixture, { replicas: 3, strategy: "Recreate" });
  await protect(fixture, await active(fixture));
  await setImage(fixture, "web:2");
  await fixture.clock.advance(minute);
  expect((await active(fixture)).map(imageOf)).toEqual(["web:2", "web:2", "web:2"]);
  expect(await eventsOf(fixture, "ProtectionIgnored")).toHaveLength(1);
});

const seeds = Array.from({ length: perTier({ unit: 4, full: 60 }) }, (_, index) => index);

test.for(seeds)("budgets hold while Pods of a rollout come and go under protection (%s)", async (seed) => {
  const random = seededRandom(`protected rollout ${seed}`);
  const fixture = await startDeploymentFixture({ gates, seed: `protected rollout ${seed}` });
  const replicas = 3 + Math.floor(random.next() * 4);
  const surge = Math.floor(random.next() * 3);
  const unavailable = surge === 0 ? 1 : Math.floor(random.next() * 2);
  await deployed(fixture, { replicas, maxSurge: surge, maxUnavailable: unavailable });
  await protect(
    fixture,
    (await active(fixture)).filter(() => random.next() < 0.6),
  );
  await setImage(fixture, "web:2");
  for (let step = 0; step < 30; step++) {
    await fixture.clock.advance(20_000);
    const present = await active(fixture);
    expect(present.length).toBeLessThanOrEqual(replicas + surge);
    expect(present.length).toBeGreaterThanOrEqual(replicas - unavailable);
    const busy = present.filter(({ metadata }) => metadata.labels?.["trimtab.dev/protected"] === "");
    await protect(
      fixture,
      busy.filter(() => random.next() < 0.15),
      null,
    );
  }
  await fixture.clock.advance(60 * minute);
  expect((await active(fixture)).map(imageOf)).toEqual(Array.from({ length: replicas }, () => "web:2"));
});
