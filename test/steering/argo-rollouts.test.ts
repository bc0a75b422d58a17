import { expect, test } from "vitest";
import type { CustomResourceDefinition } from "../../src/api/generated/apiextensions-v1.ts";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import { controllerReference } from "../../src/api/owner-references.ts";
import { customResourceDefinitions, replicaSets } from "../../src/api/resources.ts";
import { type ArgoRollout, argoRollouts } from "../../src/decisions/stock/argo-rollout.ts";
import { looseReplicaSet } from "../deployment/builders.ts";
import {
  activePods,
  type Census,
  at,
  eventsOf,
  startCensus,
  startSteering,
  type VirtualSteering,
} from "./virtual.ts";

const complete = { "trimtab.dev/pod-replacement-policy": "TerminationComplete" };

const definition: Draft<CustomResourceDefinition> = {
  metadata: { name: "rollouts.argoproj.io" },
  spec: {
    group: argoRollouts.group,
    scope: "Namespaced",
    names: {
      kind: argoRollouts.kind,
      plural: argoRollouts.plural,
      singular: "rollout",
      listKind: "RolloutList",
    },
    versions: [
      {
        name: argoRollouts.version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

type Strategy = ArgoRollout["spec"]["strategy"];

/** A Rollout of four Pods that end slowly, and an empty ReplicaSet for its next template, as its controller makes them. */
async function rolloutOf(strategy: Strategy): Promise<VirtualSteering & { readonly census: Census }> {
  const steered = await startSteering();
  const census = startCensus(steered);
  const { client, clock } = steered;
  await client.create(customResourceDefinitions, definition);
  await clock.advance(2000);
  const selector = { matchLabels: { app: "web" } };
  const rollout = await client.create(argoRollouts, {
    metadata: { ...at("web"), annotations: complete },
    spec: { replicas: 4, selector, ...(strategy && { strategy }) },
  });
  const ownerReferences = [controllerReference(argoRollouts, rollout)];
  for (const [name, replicas] of [
    ["stable", 4],
    ["canary", 0],
  ] as const) {
    const draft = looseReplicaSet(name, { replicas, annotations: complete, endsIn: "60s" });
    await client.create(replicaSets, { ...draft, metadata: { ...draft.metadata, ownerReferences } });
  }
  await clock.advance(20_000);
  return { ...steered, census };
}

const resize = ({ client }: VirtualSteering, name: string, replicas: number): Promise<ReplicaSet> =>
  client.patch(replicaSets, at(name), { type: "merge", body: { spec: { replicas } } });

test("a canary grows by its surge, terminating Pods counted, and is woken when there is room", async () => {
  const steered = await rolloutOf({ canary: { maxSurge: 1, maxUnavailable: 1 } });
  expect((await resize(steered, "canary", 3)).spec.replicas).toBe(1);
  await resize(steered, "stable", 2);
  await steered.clock.advance(10_000);
  expect((await resize(steered, "canary", 3)).spec.replicas).toBe(1);
  expect(await eventsOf(steered, "GrowthCapped")).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Rollout web: ReplicaSet canary is admitted with 1 /)]),
  );

  // Any change of its ReplicaSets wakes the controller of a Rollout.
  const woken: number[] = [];
  steered.store.collection("replicasets.apps").subscribe({ of: "all" }, (changes) => {
    for (const { record } of changes) {
      const { metadata } = record.object as unknown as ReplicaSet;
      if (metadata.labels?.["trimtab.dev/room"] !== undefined) woken.push(steered.clock.now());
    }
  });
  await steered.clock.advance(40_000);
  expect(woken).toEqual([]);
  await steered.clock.advance(30_000);
  expect(woken.length).toBeGreaterThan(0);
  expect((await resize(steered, "canary", 3)).spec.replicas).toBe(3);
  await steered.clock.advance(20_000);
  expect(await activePods(steered)).toHaveLength(5);
  expect(steered.census.mostPods).toBe(5);
  const { metadata } = await steered.client.get(replicaSets, at("canary"));
  expect([metadata.annotations?.["trimtab.dev/capped"], metadata.labels?.["trimtab.dev/room"]]).toEqual([
    undefined,
    undefined,
  ]);
  expect(await eventsOf(steered, "PolicyNotSteered")).toEqual([]);
});

test("one that does not want to grow any more is not woken for ever", async () => {
  const steered = await rolloutOf({ canary: { maxSurge: 1 } });
  await resize(steered, "canary", 3);
  await resize(steered, "stable", 2);
  await steered.clock.advance(20 * 60_000);
  const patches = () => steered.copies[0]?.line.requests.filter(({ verb }) => verb === "patch").length ?? 0;
  const before = patches();
  await steered.clock.advance(20 * 60_000);
  expect(patches()).toBe(before);
});

test.each([
  { name: "blue-green", strategy: {} },
  { name: "a canary with traffic routing", strategy: { canary: { maxSurge: 1, trafficRouting: {} } } },
])("the growth of $name is not capped, and that is said", async ({ strategy }) => {
  const steered = await rolloutOf(strategy);
  expect((await resize(steered, "canary", 4)).spec.replicas).toBe(4);
  expect(await eventsOf(steered, "PolicyNotSteered")).toHaveLength(1);
});
