import { describe, expect, test } from "vitest";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { JsonObject } from "../../src/api/json.ts";
import type { AdmissionRequest } from "../../src/steering/admission/review.ts";
import { paths } from "../../src/steering/webhook-paths.ts";
import { web } from "../deployment/builders.ts";
import { pods } from "../../src/api/resources.ts";
import {
  activePods,
  at,
  deploy,
  eventsOf,
  markedPods,
  namesOf,
  replicaSetsOf,
  scale,
  startSteering,
  type VirtualSteering,
} from "./virtual.ts";

const wishes = {
  "trimtab.dev/removal-order": "trimtab",
  "trimtab.dev/pod-replacement-policy": "TerminationComplete",
};

/** The request that an API server would send. */
function requestOf(
  resource: "replicasets" | "replicasets/scale",
  object: ReplicaSet,
  oldObject: ReplicaSet,
): AdmissionRequest {
  return {
    uid: "review",
    resource,
    operation: "UPDATE",
    namespace: object.metadata.namespace ?? "",
    name: object.metadata.name,
    object: object as unknown as JsonObject,
    oldObject: oldObject as unknown as JsonObject,
    isDryRun: false,
  };
}

async function start() {
  const steered = await startSteering();
  await deploy(steered, web({ replicas: 5, annotations: wishes }));
  const [replicaSet] = await replicaSetsOf(steered);
  if (replicaSet === undefined) throw new Error("there is no ReplicaSet");
  return { steered, replicaSet };
}

interface Forged extends Partial<ReplicaSet["metadata"]> {
  readonly resource: "replicasets" | "replicasets/scale";
  readonly replicas: number;
}

async function send(
  { copies, clock }: VirtualSteering,
  replicaSet: ReplicaSet,
  { resource, replicas, ...metadata }: Forged,
) {
  const old = { ...replicaSet, metadata: { ...replicaSet.metadata, ...metadata } };
  const next = { ...old, spec: { ...old.spec, replicas } };
  const handler = copies[0]?.steering.handlers[paths.sizes];
  const answering = handler?.(requestOf(resource, next, old), 10_000);
  await clock.advance(10_000);
  return answering;
}

test("forged Scales do not change what a real scale-down removes", async () => {
  const { steered, replicaSet } = await start();
  const all = namesOf(await activePods(steered));
  const meant = all[2] ?? "";
  const body = { metadata: { labels: { "kubernetes.io/prefer-for-scale-down": "" } } };
  await steered.client.patch(pods, at(meant), { type: "merge", body });
  await send(steered, replicaSet, { resource: "replicasets/scale", replicas: 2 });
  await scale(steered, 4);
  const [deferred] = await replicaSetsOf(steered);
  await send(steered, deferred ?? replicaSet, { resource: "replicasets/scale", replicas: 1 });
  await steered.clock.advance(60_000);
  expect(namesOf(await activePods(steered))).toEqual(all.filter((name) => name !== meant));
  expect(await markedPods(steered)).toEqual([]);
  expect(await eventsOf(steered, "ScaleDownDiffers")).toEqual([]);
});

test.each([
  ["Scales", false],
  ["dry runs", true],
])("a flood of forged %s does not keep a real scale-down from being decided", async (_, isDryRun) => {
  const { steered, replicaSet } = await start();
  const all = namesOf(await activePods(steered));
  const meant = all[2] ?? "";
  const body = { metadata: { labels: { "kubernetes.io/prefer-for-scale-down": "" } } };
  await steered.client.patch(pods, at(meant), { type: "merge", body });
  const handler = steered.copies[0]?.steering.handlers[paths.sizes];
  const flood = Array.from({ length: 60 }, async (_each, index) => {
    const old = { ...replicaSet, spec: { ...replicaSet.spec, replicas: 5 } };
    const next = { ...old, spec: { ...old.spec, replicas: index % 4 } };
    return handler?.({ ...requestOf("replicasets/scale", next, old), isDryRun }, 3000);
  });
  await steered.clock.advance(1000);
  await Promise.all(flood);
  await scale(steered, 4);
  await steered.clock.advance(60_000);
  expect(namesOf(await activePods(steered))).toEqual(all.filter((name) => name !== meant));
  expect(await eventsOf(steered, "ScaleDownDiffers")).toEqual([]);
});

describe("a forged review", () => {
  test.each([
    ["of another UID", { uid: "another" }],
    ["of an earlier version", { resourceVersion: "1" }],
    ["of no ReplicaSet", { name: "nothing" }],
    ["of another namespace", { namespace: "kube-system" }],
  ])("%s does nothing", async (_, forged) => {
    const { steered, replicaSet } = await start();
    const before = steered.store.revision();
    for (const resource of ["replicasets", "replicasets/scale"] as const)
      for (const replicas of [1, 5, 50])
        expect(await send(steered, replicaSet, { resource, replicas, ...forged })).toMatchObject({
          allowed: true,
        });
    expect(steered.store.revision()).toBe(before);
  });

  test("of a ReplicaSet that is true about the cluster but was never meant causes nothing", async () => {
    const { steered, replicaSet } = await start();
    const requests = steered.copies[0]?.line.requests.length;
    const before = steered.store.revision();
    expect(await send(steered, replicaSet, { resource: "replicasets", replicas: 4 })).toMatchObject({
      allowed: true,
    });
    await steered.clock.advance(50_000);
    expect(steered.store.revision()).toBe(before);
    expect(steered.copies[0]?.line.requests.length).toBe(requests);
  });

  test("of a Scale that is true about the cluster but was never meant leaves marks that are undone", async () => {
    const { steered, replicaSet } = await start();
    await send(steered, replicaSet, { resource: "replicasets/scale", replicas: 4 });
    expect(await markedPods(steered)).not.toEqual([]);
    await steered.clock.advance(50_000);
    expect(await markedPods(steered)).toEqual([]);
  });

  test("that comes in a flood makes few decisions", async () => {
    const { steered, replicaSet } = await start();
    const sizes = Array.from({ length: 200 }, (_, index) => index % 5);
    const handler = steered.copies[0]?.steering.handlers[paths.sizes];
    const answers = sizes.map(async (replicas) =>
      handler?.(
        requestOf("replicasets/scale", { ...replicaSet, spec: { ...replicaSet.spec, replicas } }, replicaSet),
        10_000,
      ),
    );
    await steered.clock.advance(1000);
    expect(new Set((await Promise.all(answers)).map((answer) => answer?.allowed))).toEqual(new Set([true]));
    const decided = ["victims", "survivors", "none"].map((marked) =>
      steered.metrics.value("trimtab_steer_decisions_total", { marked }),
    );
    expect(decided.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(11);
  });
});

test("an update from an older version, which the API server will refuse, marks nothing and is no decision", async () => {
  const { steered, replicaSet } = await start();
  const { metadata, spec } = replicaSet;
  const stale = {
    ...replicaSet,
    metadata: { ...metadata, resourceVersion: "1" },
    spec: { ...spec, replicas: 3 },
  };
  const handler = steered.copies[0]?.steering.handlers[paths.sizes];
  const before = steered.store.revision();
  const answering = handler?.(requestOf("replicasets", stale, replicaSet), 10_000);
  await steered.clock.advance(10_000);
  expect(await answering).toEqual({ allowed: true });
  expect(steered.store.revision()).toBe(before);
});
