import { expect, test } from "vitest";
import type { StoredObject } from "../../src/api/object.ts";
import type { Resource } from "../../src/api/resource.ts";
import { daemonSets, events, pods, replicaSets, statefulSets } from "../../src/api/resources.ts";
import { looseReplicaSet } from "../deployment/builders.ts";
import { at, namespace, startSteering, type VirtualSteering } from "./virtual.ts";

const order = { "trimtab.dev/removal-order": "trimtab" };
const complete = { "trimtab.dev/pod-replacement-policy": "TerminationComplete" };
const labels = { app: "web" };
const containers = [{ name: "c", image: "i" }];
const template = { metadata: { labels }, spec: { containers } };

const ownedBy = (kind: string, apiVersion: string, uid = `uid of ${kind}`) => [
  { apiVersion, kind, name: "web", uid, controller: true },
];

/** The events about wishes that nothing comes of, as `kind name: message`. */
async function ignoredIn({ client, clock }: VirtualSteering): Promise<readonly string[]> {
  await clock.advance(10_000);
  return (await client.list(events, { namespace })).items
    .filter(({ reason = "" }) => ["SteeringNotSupported", "PolicyNotSteered"].includes(reason))
    .map(({ involvedObject: { kind, name }, message }) => `${kind} ${name}: ${message}`);
}

const count = ({ metrics }: VirtualSteering) =>
  metrics.value("trimtab_steer_wishes_unfulfilled_total", { cause: "Unsupported" });

type Sets = StoredObject & { readonly spec: object };

const steersReplicaSets = "trimtab steer steers ReplicaSets, and what scales them";

test.each([
  ["a StatefulSet", "StatefulSet", statefulSets, { serviceName: "web", replicas: 0 }],
  ["a DaemonSet", "DaemonSet", daemonSets, {}],
] as const)(
  "%s that asks to be steered is told once that nothing comes of it",
  async (_, kind, resource, more) => {
    const steered = await startSteering({ nodes: 0 });
    const spec = { selector: { matchLabels: labels }, template, ...more };
    const sets = resource as Resource<Sets>;
    await steered.client.create(sets, { metadata: { ...at("web"), annotations: order }, spec });
    const said = [`${kind} web: trimtab.dev/removal-order: no effect on a ${kind}: ${steersReplicaSets}`];
    expect(await ignoredIn(steered)).toEqual(said);
    const body = { metadata: { labels: { note: "another" } } };
    await steered.client.patch(sets, at("web"), { type: "merge", body });
    expect(await ignoredIn(steered)).toEqual(said);
    expect(count(steered)).toBe(1);
  },
);

test("an owner of another kind is told by the wish of its Pods, once for all of them", async () => {
  const steered = await startSteering();
  for (const name of ["web-a", "web-b"]) {
    const ownerReferences = ownedBy("CloneSet", "apps.kruise.io/v1alpha1");
    await steered.client.create(pods, {
      metadata: { ...at(name), labels, annotations: order, ownerReferences },
      spec: { containers },
    });
  }
  expect(await ignoredIn(steered)).toEqual([
    `CloneSet web: trimtab.dev/removal-order: no effect on a CloneSet: ${steersReplicaSets}`,
  ]);
  expect(count(steered)).toBe(1);
});

test.each([
  ["the Rollout", ownedBy("Rollout", "argoproj.io/v1alpha1"), "Rollout web", "Rollout"],
  ["a ReplicaSet without an owner", undefined, "ReplicaSet loose", "ReplicaSet"],
] as const)("%s whose growth cannot be capped is told", async (_, ownerReferences, who, kind) => {
  const steered = await startSteering();
  const draft = looseReplicaSet("loose", { replicas: 1, annotations: complete });
  const metadata = { ...draft.metadata, ...(ownerReferences && { ownerReferences }) };
  await steered.client.create(replicaSets, { ...draft, metadata });
  expect(await ignoredIn(steered)).toEqual([
    `${who}: TerminationComplete has no effect on a ${kind}: trimtab steer caps the growth of Deployments, and of Argo Rollouts that are a canary without traffic routing`,
  ]);
});

test("nobody is told whose wish is fulfilled, who asks for nothing, or who has switched steering off", async () => {
  const steered = await startSteering();
  const off = { ...order, "trimtab.dev/mode": "off" };
  await steered.client.create(replicaSets, looseReplicaSet("loose", { replicas: 2, annotations: order }));
  for (const [name, annotations] of Object.entries({ off, asks: {} })) {
    const ownerReferences = ownedBy("CloneSet", "apps.kruise.io/v1alpha1", name);
    await steered.client.create(pods, {
      metadata: { ...at(name), labels, annotations, ownerReferences },
      spec: { containers },
    });
  }
  expect(await ignoredIn(steered)).toEqual([]);
  expect(count(steered)).toBe(0);
});
