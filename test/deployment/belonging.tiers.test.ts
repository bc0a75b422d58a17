import { expect, test } from "vitest";
import { controllerOf } from "../../src/api/owner-references.ts";
import { deployments, replicaSets } from "../../src/api/resources.ts";
import { circumstances, startUnder } from "./circumstances.ts";
import { headcount } from "./census.ts";
import { at, looseReplicaSet, template } from "./builders.ts";
import {
  deploy,
  deployed,
  imageOf,
  podsOf,
  progressOf,
  revisionOf,
  revisions,
  setImage,
  sizes,
  statusOf,
  stored,
} from "./web.ts";
import { startDeploymentFixture, type DeploymentFixture } from "./fixture.ts";

async function ownersOf(world: DeploymentFixture): Promise<Readonly<Record<string, string | undefined>>> {
  const { items } = await world.client.list(replicaSets, {});
  return Object.fromEntries(items.map((each) => [each.metadata.name, controllerOf(each)?.name]));
}

test.for(circumstances)(
  "ReplicaSets that fit are adopted, and the one with the template is the new one, $under",
  async (circumstance) => {
    const world = await startUnder(circumstance);
    await world.client.create(replicaSets, looseReplicaSet("one", { image: "web:1" }));
    await world.clock.advance(2000);
    await world.client.create(replicaSets, looseReplicaSet("two", { image: "web:2" }));
    await world.clock.advance(5000);
    await deploy(world, { image: "web:2", replicas: 3, policy: circumstance.policy });
    await world.clock.advance(60_000);
    expect(await ownersOf(world)).toEqual({ one: "web", two: "web" });
    expect(
      (await revisions(world)).map(({ metadata, spec }) => `${metadata.name}: ${spec.replicas}`),
    ).toEqual(["two: 3", "one: 0"]);
    expect(progressOf(await stored(world))).toBe("NewReplicaSetAvailable");
  },
);

test("of two ReplicaSets with the template the older is the new one, and the other is drained", async () => {
  const world = await startDeploymentFixture();
  for (const name of ["older", "younger"]) {
    await world.client.create(replicaSets, looseReplicaSet(name));
    await world.clock.advance(2000);
  }
  await deploy(world, { replicas: 4, maxSurge: 1 });
  await world.clock.advance(60_000);
  const { items } = await world.client.list(replicaSets, {});
  expect(items.map(({ metadata, spec }) => [metadata.name, spec.replicas])).toEqual([
    ["older", 4],
    ["younger", 0],
  ]);
});

test("a ReplicaSet whose labels no longer fit is let go and replaced; when they fit again it comes back", async () => {
  const world = await startDeploymentFixture();
  await deployed(world);
  const [first] = await revisions(world);
  const name = first?.metadata.name ?? "";
  const relabel = async (app: string) => {
    await world.client.patch(replicaSets, at(name), {
      type: "merge",
      body: { metadata: { labels: { app } } },
    });
    await world.clock.advance(10_000);
  };
  await relabel("stray");
  expect((await ownersOf(world))[name]).toBeUndefined();
  // Its name is taken, so another hash had to be found.
  expect((await statusOf(world)).collisionCount).toBe(1);
  expect(await headcount(world)).toBe("6");

  await relabel("web");
  await world.clock.advance(60_000);
  expect((await ownersOf(world))[name]).toBe("web");
  expect(await headcount(world)).toBe("3");
});

test("a lost owner reference is repaired", async () => {
  const world = await startDeploymentFixture();
  await deployed(world);
  const [replicaSet] = await revisions(world);
  const { metadata } = replicaSet ?? expect.fail("no ReplicaSet");
  await world.client.patch(replicaSets, metadata, {
    type: "merge",
    body: { metadata: { ownerReferences: null } },
  });
  await world.clock.advance(1000);
  expect((await ownersOf(world))[metadata.name]).toBe("web");
});

test("Deployments that select the same labels keep to their own", async () => {
  const world = await startDeploymentFixture();
  await deployed(world, { name: "web" });
  await deployed(world, { name: "other", image: "other:1" });
  expect(await headcount(world)).toBe("6");
  await setImage(world, "web:2");
  await world.clock.advance(60_000);
  expect((await podsOf(world)).map((pod) => pod.spec.containers?.[0]?.image ?? "").toSorted()).toEqual([
    ...Array<string>(3).fill("other:1"),
    ...Array<string>(3).fill("web:2"),
  ]);
  const owners = Object.values(await ownersOf(world)).map(String);
  expect(owners.toSorted()).toEqual(["other", "web", "web"]);
});

test("a ReplicaSet whose template somebody changed is an old revision, and its name is taken", async () => {
  const world = await startDeploymentFixture();
  await deployed(world);
  const [changed] = await revisions(world);
  const { metadata } = changed ?? expect.fail("no ReplicaSet");
  const body = { spec: { template: { spec: { containers: [{ name: "web", image: "changed:1" }] } } } };
  await world.client.patch(replicaSets, metadata, { type: "strategic", body });
  await world.clock.advance(60_000);
  expect((await statusOf(world)).collisionCount).toBe(1);
  expect((await revisions(world)).map(imageOf)).toEqual(["web:1", "changed:1"]);
  expect(revisionOf(await stored(world))).toBe(2);
  expect(await sizes(world)).toEqual([3, 0]);
});

test("a stranger with the name of the next ReplicaSet makes it take another name", async () => {
  const world = await startDeploymentFixture();
  // What the ReplicaSet will be called is known from an earlier Deployment of the same template.
  const { metadata } = await deployed(world);
  const name = (await revisions(world))[0]?.metadata.name ?? "";
  await world.client.delete(deployments, metadata);
  await world.clock.advance(10_000);

  const labels = { app: "stranger" };
  const spec = { replicas: 0, selector: { matchLabels: labels }, template: template({}, labels) };
  await world.client.create(replicaSets, { metadata: at(name), spec });
  await deployed(world);
  expect((await statusOf(world)).collisionCount).toBe(1);
  const owners = await ownersOf(world);
  expect(owners[name]).toBeUndefined();
  expect(Object.values(owners)).toContain("web");
});

test("nobody is adopted for a Deployment that is on its way out, whatever the informers still say", async () => {
  const world = await startDeploymentFixture();
  const { metadata } = await deploy(world, { replicas: 0, spec: { paused: true } });
  await world.client.patch(deployments, metadata, {
    type: "merge",
    body: { metadata: { finalizers: ["example.com/wait"] } },
  });
  await world.clock.advance(1000);
  world.controllers.holdWatches(deployments);
  await world.client.delete(deployments, metadata);
  const before = world.controllers.requests.length;
  await world.client.create(replicaSets, looseReplicaSet("orphan", { replicas: 0 }));
  await world.clock.advance(1);
  const asked = world.controllers.requests
    .slice(before)
    .filter(({ collection, verb }) => verb === "get" && collection === "deployments.apps");
  expect(asked).toHaveLength(1);
  expect(await ownersOf(world)).toEqual({ orphan: undefined });
  world.controllers.releaseWatches();
  await world.clock.advance(60_000);
  expect(await ownersOf(world)).toEqual({ orphan: undefined });
});

test("a Deployment that is being deleted only reports", async () => {
  const world = await startDeploymentFixture();
  await deployed(world);
  const { metadata } = await stored(world);
  const finalizers = ["example.com/wait"];
  await world.client.patch(deployments, metadata, { type: "merge", body: { metadata: { finalizers } } });
  await world.clock.advance(1000);
  const before = world.controllers.requests.length;
  await world.client.delete(deployments, metadata, { propagationPolicy: "Orphan" });
  await world.client.patch(deployments, metadata, { type: "merge", body: { spec: { replicas: 9 } } });
  await world.clock.advance(10_000);
  const writes = world.controllers.requests
    .slice(before)
    .map(({ verb, collection, subresource }) => `${verb} ${collection}/${subresource}`);
  expect(new Set(writes)).toEqual(new Set(["update deployments.apps/status"]));
  expect(await sizes(world)).toEqual([3]);
});
