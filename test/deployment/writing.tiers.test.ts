import { expect, test } from "vitest";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import { deployments, replicaSets } from "../../src/api/resources.ts";
import { ApiError } from "../../src/machinery/client/api-error.ts";
import { failure } from "../../src/testing/fake-store.ts";
import { headcount } from "./census.ts";
import { at, looseReplicaSet } from "./builders.ts";
import {
  deploy,
  deployed,
  eventsOf,
  imageOf,
  patch,
  progressOf,
  revisionOf,
  revisions,
  scaleTo,
  setImage,
  sizes,
  statusOf,
  stored,
} from "./web.ts";
import { startDeploymentFixture, type DeploymentFixture } from "./fixture.ts";

/** What the Deployment controller wrote since: `create replicasets.apps`, `update deployments.apps/status`. */
function written({ controllers }: DeploymentFixture, since = 0): readonly string[] {
  return controllers.requests
    .slice(since)
    .filter(({ verb, collection, subresource }) => {
      const isOwn =
        collection === "deployments.apps" || (collection === "replicasets.apps" && subresource !== "status");
      return isOwn && verb !== "list" && verb !== "get";
    })
    .map(
      ({ verb, collection, subresource }) =>
        `${verb} ${collection}${subresource === undefined ? "" : `/${subresource}`}`,
    );
}

test("a new Deployment costs one ReplicaSet and two statuses, before its Pods are heard of", async () => {
  const world = await startDeploymentFixture();
  const silence = world.controllers.failRequests(({ verb, collection }) =>
    collection === "pods" && verb === "create" ? failure(500, "InternalError") : undefined,
  );
  await deploy(world);
  expect(written(world).slice(0, 3)).toEqual([
    "create replicasets.apps",
    "update deployments.apps/status",
    "update deployments.apps/status",
  ]);
  silence();
});

test("a Deployment that has what it wants is left in peace", async () => {
  const world = await startDeploymentFixture();
  await deployed(world);
  await world.clock.advance(60_000);
  const before = world.controllers.requests.length;
  await world.clock.advance(24 * 3600_000);
  expect(world.controllers.requests.slice(before)).toEqual([]);
});

test("what a rollout writes is as much as it takes: no write is refused because of another of ours", async () => {
  const world = await startDeploymentFixture();
  await deployed(world, { replicas: 4, maxSurge: 2, maxUnavailable: 1 });
  await setImage(world, "web:2");
  await world.clock.advance(60_000);
  await scaleTo(world, 6);
  await world.clock.advance(60_000);
  expect(world.log.entries.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
});

test("no more is decided until what was done has been seen", async () => {
  const world = await startDeploymentFixture();
  await deployed(world, { replicas: 2, maxSurge: 1 });
  world.controllers.holdWatches(replicaSets);
  const before = world.controllers.requests.length;
  await setImage(world, "web:2");
  await patch(world, { metadata: { annotations: { poked: "once" } } });
  await world.clock.advance(1000);
  expect(written(world, before).filter((write) => write === "create replicasets.apps")).toHaveLength(1);
  world.controllers.releaseWatches();
  await world.clock.advance(60_000);
  expect(await sizes(world)).toEqual([2, 0]);
});

test("a creation whose answer was lost is found to have happened", async () => {
  const world = await startDeploymentFixture();
  let isLost = true;
  world.controllers.failRequests(({ verb, collection, body }) => {
    if (verb !== "create" || collection !== "replicasets.apps" || !isLost) return undefined;
    isLost = false;
    void world.client.create(replicaSets, body as Draft<ReplicaSet>);
    return new Error("the connection was reset");
  });
  await deploy(world);
  await world.clock.advance(10_000);
  expect(await headcount(world)).toBe("3");
  expect(await sizes(world)).toEqual([3]);
  expect((await statusOf(world)).collisionCount).toBeUndefined();
});

test("a failed write in the midst of a proportional scale is made up for", async () => {
  const world = await startDeploymentFixture();
  await deployed(world, { replicas: 10, maxSurge: 3, maxUnavailable: 2 });
  await setImage(world, "web:2", { readyIn: "never" });
  await world.clock.advance(5000);
  expect(await sizes(world)).toEqual([5, 8]);
  let updates = 0;
  world.controllers.failRequests(({ verb, collection, subresource }) => {
    if (verb !== "update" || collection !== "replicasets.apps" || subresource !== undefined) return undefined;
    return ++updates === 2 ? failure(500, "InternalError") : undefined;
  });
  await scaleTo(world, 30);
  await world.clock.advance(5000);
  const [young = 0, old = 0] = await sizes(world);
  expect(young + old).toBe(33);
});

test("a key that fails fifteen times is dropped until something happens to it", async () => {
  const world = await startDeploymentFixture();
  const allow = world.controllers.failRequests(({ verb, collection }) =>
    verb === "create" && collection === "replicasets.apps" ? failure(500, "InternalError") : undefined,
  );
  await deploy(world, { spec: { progressDeadlineSeconds: 2_147_483_647 } });
  await world.clock.advance(3600_000);
  expect(written(world).filter((write) => write === "create replicasets.apps")).toHaveLength(16);
  allow();
  await world.clock.advance(3600_000);
  expect(await headcount(world)).toBe("0");
  await patch(world, { metadata: { annotations: { poked: "once" } } });
  await world.clock.advance(5000);
  expect(await headcount(world)).toBe("3");
});

test("in a namespace that is going nothing is tried again, and nobody is told", async () => {
  const world = await startDeploymentFixture();
  const causes = [{ reason: "NamespaceTerminating", message: "namespace default is being terminated" }];
  const going = new ApiError({ code: 403, reason: "Forbidden", details: { causes } });
  world.controllers.failRequests(({ verb, collection }) =>
    verb === "create" && collection === "replicasets.apps" ? going : undefined,
  );
  await deploy(world, { spec: { progressDeadlineSeconds: 2_147_483_647 } });
  await world.clock.advance(60_000);
  expect(written(world).filter((write) => write === "create replicasets.apps")).toHaveLength(1);
  expect(await eventsOf(world, "ReplicaSetCreateError")).toEqual([]);
});

const rollbackTo = (world: DeploymentFixture, revision: string) =>
  patch(world, { metadata: { annotations: { "deprecated.deployment.rollback.to": revision } } });

test("the deprecated annotation rolls back in one write of the Deployment, and touches no ReplicaSet in that pass", async () => {
  const world = await startDeploymentFixture();
  await deployed(world, { annotations: { "kubernetes.io/change-cause": "first" } });
  await patch(world, { metadata: { annotations: { "kubernetes.io/change-cause": "second" } } });
  await setImage(world, "web:2");
  await world.clock.advance(60_000);
  const before = world.controllers.requests.length;
  await world.client.patch(deployments, at("web"), {
    type: "merge",
    body: { metadata: { annotations: { "deprecated.deployment.rollback.to": "1" } } },
  });
  await world.clock.settle();
  expect(written(world, before)[0]).toBe("update deployments.apps");
  await world.clock.advance(60_000);
  const { metadata, spec } = await stored(world);
  expect(imageOf({ spec })).toBe("web:1");
  expect(metadata.annotations).not.toHaveProperty(["deprecated.deployment.rollback.to"]);
  expect(revisionOf({ metadata })).toBe(3);
  expect((await eventsOf(world, "DeploymentRollback")).map(({ message }) => message)).toEqual([
    'Rolled back deployment "web" to revision 1',
  ]);
});

test.for([
  {
    to: "7",
    reason: "DeploymentRollbackRevisionNotFound",
    message: "Unable to find the revision to rollback to.",
  },
  { to: "0", reason: "DeploymentRollbackRevisionNotFound", message: "Unable to find last revision." },
  {
    to: "1",
    reason: "DeploymentRollbackTemplateUnchanged",
    message: 'The rollback revision contains the same template as current deployment "web"',
  },
])(
  "a rollback to $to that makes no sense is said to people, and forgotten",
  async ({ to, reason, message }) => {
    const world = await startDeploymentFixture();
    await deployed(world);
    await rollbackTo(world, to);
    await world.clock.advance(1000);
    expect((await eventsOf(world, reason)).map((event) => [event.type, event.message])).toEqual([
      ["Warning", message],
    ]);
    expect((await stored(world)).metadata.annotations).not.toHaveProperty([
      "deprecated.deployment.rollback.to",
    ]);
    expect(progressOf(await stored(world))).toBe("NewReplicaSetAvailable");
  },
);

test("a Deployment that selects everything, which no API server stores, is told so and does nothing", async () => {
  const world = await startDeploymentFixture();
  await deploy(world, { spec: { paused: true } });
  const { metadata, spec, ...rest } = await stored(world);
  const everything = { ...rest, metadata, spec: { ...spec, paused: false, selector: {} } };
  const before = world.controllers.requests.length;
  world.store.collection("deployments.apps").put("default/web", everything as never);
  await world.clock.advance(1000);
  expect(written(world, before)).toEqual([]);
  expect((await eventsOf(world, "SelectingAll")).map(({ type }) => type)).toEqual(["Warning"]);
});

const picker = (host: string) => ({
  downscalePodPicker: { http: { host, port: 8080, path: "/pick", scheme: "HTTP" } },
});
const pickerHosts = async (world: DeploymentFixture) =>
  (await revisions(world)).map(({ spec }) => spec.downscalePodPicker?.http?.host ?? "");

test("a picker reaches the new ReplicaSet and the old ones that have Pods, and leaves them with the Deployment's", async () => {
  const world = await startDeploymentFixture();
  await deployed(world, { replicas: 4, maxSurge: 1, maxUnavailable: 1, spec: picker("first") });
  expect(await pickerHosts(world)).toEqual(["first"]);
  await setImage(world, "web:2", { readyIn: "never" });
  await world.clock.advance(10_000);
  expect(await pickerHosts(world)).toEqual(["first", "first"]);
  const sizesBefore = await sizes(world);
  await patch(world, { spec: picker("second") });
  await world.clock.advance(1000);
  expect(await pickerHosts(world)).toEqual(["second", "second"]);
  await patch(world, { spec: { downscalePodPicker: null } });
  await world.clock.advance(1000);
  expect(await pickerHosts(world)).toEqual(["", ""]);
  expect(await sizes(world)).toEqual(sizesBefore);
  expect(revisionOf(await stored(world))).toBe(2);
});

test("the picker of an adopted ReplicaSet gives way, and a write that shrinks carries the Deployment's", async () => {
  const world = await startDeploymentFixture();
  await world.client.create(replicaSets, looseReplicaSet("own", { replicas: 3, spec: picker("own") }));
  await deployed(world, { spec: picker("ours") });
  expect(await pickerHosts(world)).toEqual(["ours"]);
  const before = world.controllers.requests.length;
  await patch(world, { spec: { replicas: 1, ...picker("later") } });
  await world.clock.advance(5000);
  const shrinking = world.controllers.requests
    .slice(before)
    .map(
      ({ body }) =>
        body as { spec?: { replicas?: number; downscalePodPicker?: { http?: { host?: string } } } },
    )
    .find((body) => body?.spec?.replicas === 1 && "selector" in body.spec);
  expect(shrinking?.spec?.downscalePodPicker?.http?.host).toBe("later");
});
