import { expect, test } from "vitest";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import { deployments, replicaSets } from "../../src/api/resources.ts";
import { apiFailure, ApiError } from "../../src/machinery/client/api-error.ts";
import { podCount } from "./pod-census.ts";
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
  const fixture = await startDeploymentFixture();
  const silence = fixture.controllers.failRequests(({ verb, collection }) =>
    collection === "pods" && verb === "create" ? apiFailure(500, "InternalError") : undefined,
  );
  await deploy(fixture);
  expect(written(fixture).slice(0, 3)).toEqual([
    "create replicasets.apps",
    "update deployments.apps/status",
    "update deployments.apps/status",
  ]);
  silence();
});

test("a Deployment that has what it wants is left in peace", async () => {
  const fixture = await startDeploymentFixture();
  await deployed(fixture);
  await fixture.clock.advance(60_000);
  const before = fixture.controllers.requests.length;
  await fixture.clock.advance(24 * 3600_000);
  expect(fixture.controllers.requests.slice(before)).toEqual([]);
});

test("what a rollout writes is as much as it takes: no write is refused because of another of ours", async () => {
  const fixture = await startDeploymentFixture();
  await deployed(fixture, { replicas: 4, maxSurge: 2, maxUnavailable: 1 });
  await setImage(fixture, "web:2");
  await fixture.clock.advance(60_000);
  await scaleTo(fixture, 6);
  await fixture.clock.advance(60_000);
  expect(fixture.log.entries.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
});

test("no more is decided until what was done has been seen", async () => {
  const fixture = await startDeploymentFixture();
  await deployed(fixture, { replicas: 2, maxSurge: 1 });
  fixture.controllers.holdWatches(replicaSets);
  const before = fixture.controllers.requests.length;
  await setImage(fixture, "web:2");
  await patch(fixture, { metadata: { annotations: { poked: "once" } } });
  await fixture.clock.advance(1000);
  expect(written(fixture, before).filter((write) => write === "create replicasets.apps")).toHaveLength(1);
  fixture.controllers.releaseWatches();
  await fixture.clock.advance(60_000);
  expect(await sizes(fixture)).toEqual([2, 0]);
});

test("a creation whose answer was lost is found to have happened", async () => {
  const fixture = await startDeploymentFixture();
  let isLost = true;
  fixture.controllers.failRequests(({ verb, collection, body }) => {
    if (verb !== "create" || collection !== "replicasets.apps" || !isLost) return undefined;
    isLost = false;
    void fixture.client.create(replicaSets, body as Draft<ReplicaSet>);
    return new Error("the connection was reset");
  });
  await deploy(fixture);
  await fixture.clock.advance(10_000);
  expect(await podCount(fixture)).toBe("3");
  expect(await sizes(fixture)).toEqual([3]);
  expect((await statusOf(fixture)).collisionCount).toBeUndefined();
});

test("a failed write in the midst of a proportional scale is made up for", async () => {
  const fixture = await startDeploymentFixture();
  await deployed(fixture, { replicas: 10, maxSurge: 3, maxUnavailable: 2 });
  await setImage(fixture, "web:2", { readyIn: "never" });
  await fixture.clock.advance(5000);
  expect(await sizes(fixture)).toEqual([5, 8]);
  let updates = 0;
  fixture.controllers.failRequests(({ verb, collection, subresource }) => {
    if (verb !== "update" || collection !== "replicasets.apps" || subresource !== undefined) return undefined;
    return ++updates === 2 ? apiFailure(500, "InternalError") : undefined;
  });
  await scaleTo(fixture, 30);
  await fixture.clock.advance(5000);
  const [young = 0, old = 0] = await sizes(fixture);
  expect(young + old).toBe(33);
});

test("a key that fails fifteen times is dropped until something happens to it", async () => {
  const fixture = await startDeploymentFixture();
  const allow = fixture.controllers.failRequests(({ verb, collection }) =>
    verb === "create" && collection === "replicasets.apps" ? apiFailure(500, "InternalError") : undefined,
  );
  await deploy(fixture, { spec: { progressDeadlineSeconds: 2_147_483_647 } });
  await fixture.clock.advance(3600_000);
  expect(written(fixture).filter((write) => write === "create replicasets.apps")).toHaveLength(16);
  allow();
  await fixture.clock.advance(3600_000);
  expect(await podCount(fixture)).toBe("0");
  await patch(fixture, { metadata: { annotations: { poked: "once" } } });
  await fixture.clock.advance(5000);
  expect(await podCount(fixture)).toBe("3");
});

test("in a namespace that is being deleted nothing is retried or reported", async () => {
  const fixture = await startDeploymentFixture();
  const causes = [{ reason: "NamespaceTerminating", message: "namespace default is being terminated" }];
  const going = new ApiError({ code: 403, reason: "Forbidden", details: { causes } });
  fixture.controllers.failRequests(({ verb, collection }) =>
    verb === "create" && collection === "replicasets.apps" ? going : undefined,
  );
  await deploy(fixture, { spec: { progressDeadlineSeconds: 2_147_483_647 } });
  await fixture.clock.advance(60_000);
  expect(written(fixture).filter((write) => write === "create replicasets.apps")).toHaveLength(1);
  expect(await eventsOf(fixture, "ReplicaSetCreateError")).toEqual([]);
});

const rollbackTo = (fixture: DeploymentFixture, revision: string) =>
  patch(fixture, { metadata: { annotations: { "deprecated.deployment.rollback.to": revision } } });

test("the deprecated annotation rolls back in one write of the Deployment, and touches no ReplicaSet in that pass", async () => {
  const fixture = await startDeploymentFixture();
  await deployed(fixture, { annotations: { "kubernetes.io/change-cause": "first" } });
  await patch(fixture, { metadata: { annotations: { "kubernetes.io/change-cause": "second" } } });
  await setImage(fixture, "web:2");
  await fixture.clock.advance(60_000);
  const before = fixture.controllers.requests.length;
  await fixture.client.patch(deployments, at("web"), {
    type: "merge",
    body: { metadata: { annotations: { "deprecated.deployment.rollback.to": "1" } } },
  });
  await fixture.clock.settle();
  expect(written(fixture, before)[0]).toBe("update deployments.apps");
  await fixture.clock.advance(60_000);
  const { metadata, spec } = await stored(fixture);
  expect(imageOf({ spec })).toBe("web:1");
  expect(metadata.annotations).not.toHaveProperty(["deprecated.deployment.rollback.to"]);
  expect(revisionOf({ metadata })).toBe(3);
  expect((await eventsOf(fixture, "DeploymentRollback")).map(({ message }) => message)).toEqual([
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
  "a rollback to $to that makes no sense is reported in an event, and dropped",
  async ({ to, reason, message }) => {
    const fixture = await startDeploymentFixture();
    await deployed(fixture);
    await rollbackTo(fixture, to);
    await fixture.clock.advance(1000);
    expect((await eventsOf(fixture, reason)).map((event) => [event.type, event.message])).toEqual([
      ["Warning", message],
    ]);
    expect((await stored(fixture)).metadata.annotations).not.toHaveProperty([
      "deprecated.deployment.rollback.to",
    ]);
    expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
  },
);

test("a Deployment that selects everything, which no API server stores, gets an event that says so, and does nothing", async () => {
  const fixture = await startDeploymentFixture();
  await deploy(fixture, { spec: { paused: true } });
  const { metadata, spec, ...rest } = await stored(fixture);
  const everything = { ...rest, metadata, spec: { ...spec, paused: false, selector: {} } };
  const before = fixture.controllers.requests.length;
  fixture.store.collection("deployments.apps").put("default/web", everything as never);
  await fixture.clock.advance(1000);
  expect(written(fixture, before)).toEqual([]);
  expect((await eventsOf(fixture, "SelectingAll")).map(({ type }) => type)).toEqual(["Warning"]);
});

const picker = (host: string) => ({
  downscalePodPicker: { http: { host, port: 8080, path: "/pick", scheme: "HTTP" } },
});
const pickerHosts = async (fixture: DeploymentFixture) =>
  (await revisions(fixture)).map(({ spec }) => spec.downscalePodPicker?.http?.host ?? "");

test("a picker reaches the new ReplicaSet and the old ones that have Pods, and leaves them with the Deployment's", async () => {
  const fixture = await startDeploymentFixture();
  await deployed(fixture, { replicas: 4, maxSurge: 1, maxUnavailable: 1, spec: picker("first") });
  expect(await pickerHosts(fixture)).toEqual(["first"]);
  await setImage(fixture, "web:2", { readyIn: "never" });
  await fixture.clock.advance(10_000);
  expect(await pickerHosts(fixture)).toEqual(["first", "first"]);
  const sizesBefore = await sizes(fixture);
  await patch(fixture, { spec: picker("second") });
  await fixture.clock.advance(1000);
  expect(await pickerHosts(fixture)).toEqual(["second", "second"]);
  await patch(fixture, { spec: { downscalePodPicker: null } });
  await fixture.clock.advance(1000);
  expect(await pickerHosts(fixture)).toEqual(["", ""]);
  expect(await sizes(fixture)).toEqual(sizesBefore);
  expect(revisionOf(await stored(fixture))).toBe(2);
});

test("the picker of an adopted ReplicaSet gives way, and a write that shrinks carries the Deployment's", async () => {
  const fixture = await startDeploymentFixture();
  await fixture.client.create(replicaSets, looseReplicaSet("own", { replicas: 3, spec: picker("own") }));
  await deployed(fixture, { spec: picker("ours") });
  expect(await pickerHosts(fixture)).toEqual(["ours"]);
  const before = fixture.controllers.requests.length;
  await patch(fixture, { spec: { replicas: 1, ...picker("later") } });
  await fixture.clock.advance(5000);
  const shrinking = fixture.controllers.requests
    .slice(before)
    .map(
      ({ body }) =>
        body as { spec?: { replicas?: number; downscalePodPicker?: { http?: { host?: string } } } },
    )
    .find((body) => body?.spec?.replicas === 1 && "selector" in body.spec);
  expect(shrinking?.spec?.downscalePodPicker?.http?.host).toBe("later");
});
