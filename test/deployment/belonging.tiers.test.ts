import { expect, test } from "vitest";
import { controllerOf } from "../../src/api/owner-references.ts";
import { deployments, replicaSets } from "../../src/api/resources.ts";
import { policyCases, startUnder } from "./policy-cases.ts";
import { podCount } from "./pod-census.ts";
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

async function ownersOf(fixture: DeploymentFixture): Promise<Readonly<Record<string, string | undefined>>> {
  const { items } = await fixture.client.list(replicaSets, {});
  return Object.fromEntries(items.map((each) => [each.metadata.name, controllerOf(each)?.name]));
}

test.for(policyCases)(
  "ReplicaSets that fit are adopted, and the one with the template is the new one, $under",
  async (policyCase) => {
    const fixture = await startUnder(policyCase);
    await fixture.client.create(replicaSets, looseReplicaSet("one", { image: "web:1" }));
    await fixture.clock.advance(2000);
    await fixture.client.create(replicaSets, looseReplicaSet("two", { image: "web:2" }));
    await fixture.clock.advance(5000);
    await deploy(fixture, { image: "web:2", replicas: 3, policy: policyCase.policy });
    await fixture.clock.advance(60_000);
    expect(await ownersOf(fixture)).toEqual({ one: "web", two: "web" });
    expect(
      (await revisions(fixture)).map(({ metadata, spec }) => `${metadata.name}: ${spec.replicas}`),
    ).toEqual(["two: 3", "one: 0"]);
    expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
  },
);

test("of two ReplicaSets with the template the older is the new one, and the other is drained", async () => {
  const fixture = await startDeploymentFixture();
  for (const name of ["older", "younger"]) {
    await fixture.client.create(replicaSets, looseReplicaSet(name));
    await fixture.clock.advance(2000);
  }
  await deploy(fixture, { replicas: 4, maxSurge: 1 });
  await fixture.clock.advance(60_000);
  const { items } = await fixture.client.list(replicaSets, {});
  expect(items.map(({ metadata, spec }) => [metadata.name, spec.replicas])).toEqual([
    ["older", 4],
    ["younger", 0],
  ]);
});

test("a ReplicaSet whose labels no longer fit is let go and replaced; when they fit again it comes back", async () => {
  const fixture = await startDeploymentFixture();
  await deployed(fixture);
  const [first] = await revisions(fixture);
  const name = first?.metadata.name ?? "";
  const relabel = async (app: string) => {
    await fixture.client.patch(replicaSets, at(name), {
      type: "merge",
      body: { metadata: { labels: { app } } },
    });
    await fixture.clock.advance(10_000);
  };
  await relabel("stray");
  expect((await ownersOf(fixture))[name]).toBeUndefined();
  // Its name is taken, so another hash had to be found.
  expect((await statusOf(fixture)).collisionCount).toBe(1);
  expect(await podCount(fixture)).toBe("6");

  await relabel("web");
  await fixture.clock.advance(60_000);
  expect((await ownersOf(fixture))[name]).toBe("web");
  expect(await podCount(fixture)).toBe("3");
});

test("a lost owner reference is repaired", async () => {
  const fixture = await startDeploymentFixture();
  await deployed(fixture);
  const [replicaSet] = await revisions(fixture);
  const { metadata } = replicaSet ?? expect.fail("no ReplicaSet");
  await fixture.client.patch(replicaSets, metadata, {
    type: "merge",
    body: { metadata: { ownerReferences: null } },
  });
  await fixture.clock.advance(1000);
  expect((await ownersOf(fixture))[metadata.name]).toBe("web");
});

test("Deployments that select the same labels keep to their own", async () => {
  const fixture = await startDeploymentFixture();
  await deployed(fixture, { name: "web" });
  await deployed(fixture, { name: "other", image: "other:1" });
  expect(await podCount(fixture)).toBe("6");
  await setImage(fixture, "web:2");
  await fixture.clock.advance(60_000);
  expect((await podsOf(fixture)).map((pod) => pod.spec.containers?.[0]?.image ?? "").toSorted()).toEqual([
    ...Array<string>(3).fill("other:1"),
    ...Array<string>(3).fill("web:2"),
  ]);
  const owners = Object.values(await ownersOf(fixture)).map(String);
  expect(owners.toSorted()).toEqual(["other", "web", "web"]);
});

test("a ReplicaSet whose template a user changed is an old revision, and its name is taken", async () => {
  const fixture = await startDeploymentFixture();
  await deployed(fixture);
  const [changed] = await revisions(fixture);
  const { metadata } = changed ?? expect.fail("no ReplicaSet");
  const body = { spec: { template: { spec: { containers: [{ name: "web", image: "changed:1" }] } } } };
  await fixture.client.patch(replicaSets, metadata, { type: "strategic", body });
  await fixture.clock.advance(60_000);
  expect((await statusOf(fixture)).collisionCount).toBe(1);
  expect((await revisions(fixture)).map(imageOf)).toEqual(["web:1", "changed:1"]);
  expect(revisionOf(await stored(fixture))).toBe(2);
  expect(await sizes(fixture)).toEqual([3, 0]);
});

test("a stranger with the name of the next ReplicaSet makes it take another name", async () => {
  const fixture = await startDeploymentFixture();
  // What the ReplicaSet will be called is known from an earlier Deployment of the same template.
  const { metadata } = await deployed(fixture);
  const name = (await revisions(fixture))[0]?.metadata.name ?? "";
  await fixture.client.delete(deployments, metadata);
  await fixture.clock.advance(10_000);

  const labels = { app: "stranger" };
  const spec = { replicas: 0, selector: { matchLabels: labels }, template: template({}, labels) };
  await fixture.client.create(replicaSets, { metadata: at(name), spec });
  await deployed(fixture);
  expect((await statusOf(fixture)).collisionCount).toBe(1);
  const owners = await ownersOf(fixture);
  expect(owners[name]).toBeUndefined();
  expect(Object.values(owners)).toContain("web");
});

test("no ReplicaSet is adopted for a Deployment that is being deleted, whatever the informers still show", async () => {
  const fixture = await startDeploymentFixture();
  const { metadata } = await deploy(fixture, { replicas: 0, spec: { paused: true } });
  await fixture.client.patch(deployments, metadata, {
    type: "merge",
    body: { metadata: { finalizers: ["example.com/wait"] } },
  });
  await fixture.clock.advance(1000);
  fixture.controllers.holdWatches(deployments);
  await fixture.client.delete(deployments, metadata);
  const before = fixture.controllers.requests.length;
  await fixture.client.create(replicaSets, looseReplicaSet("orphan", { replicas: 0 }));
  await fixture.clock.advance(1);
  const asked = fixture.controllers.requests
    .slice(before)
    .filter(({ collection, verb }) => verb === "get" && collection === "deployments.apps");
  expect(asked).toHaveLength(1);
  expect(await ownersOf(fixture)).toEqual({ orphan: undefined });
  fixture.controllers.releaseWatches();
  await fixture.clock.advance(60_000);
  expect(await ownersOf(fixture)).toEqual({ orphan: undefined });
});

test("a Deployment that is being deleted only reports", async () => {
  const fixture = await startDeploymentFixture();
  await deployed(fixture);
  const { metadata } = await stored(fixture);
  const finalizers = ["example.com/wait"];
  await fixture.client.patch(deployments, metadata, { type: "merge", body: { metadata: { finalizers } } });
  await fixture.clock.advance(1000);
  const before = fixture.controllers.requests.length;
  await fixture.client.delete(deployments, metadata, { propagationPolicy: "Orphan" });
  await fixture.client.patch(deployments, metadata, { type: "merge", body: { spec: { replicas: 9 } } });
  await fixture.clock.advance(10_000);
  const writes = fixture.controllers.requests
    .slice(before)
    .map(({ verb, collection, subresource }) => `${verb} ${collection}/${subresource}`);
  expect(new Set(writes)).toEqual(new Set(["update deployments.apps/status"]));
  expect(await sizes(fixture)).toEqual([3]);
});
