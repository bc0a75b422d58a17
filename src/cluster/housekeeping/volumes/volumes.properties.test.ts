import * as fc from "fast-check";
import { test } from "vitest";
import type { PersistentVolume, Pod } from "../../../api/generated/core-v1.ts";
import { isBeingDeleted, keyOf, type StoredObject } from "../../../api/object.ts";
import { qualifiedName, type Resource } from "../../../api/resource.ts";
import { nodes, persistentVolumeClaims, persistentVolumes, pods } from "../../../api/resources.ts";
import { zoneLabel, zoneOf } from "../../../api/well-known.ts";
import { apiFailure, isAlreadyExists, isNotFound } from "../../../machinery/client/api-error.ts";
import type { ClientCall } from "../../../machinery/client/intercept-client.ts";
import { testCluster, type TestCluster } from "../../../testing/test-cluster.ts";
import { claimKeysOf } from "./volume-indexes.ts";

type Step =
  | { readonly do: "claim"; readonly name: string; readonly storageClass: string }
  | { readonly do: "volume"; readonly name: string; readonly zone: string }
  | { readonly do: "pod"; readonly name: string; readonly claim: string }
  | { readonly do: "delete-claim" | "delete-volume" | "delete-pod"; readonly name: string }
  | { readonly do: "wait" };

const claimNames = fc.constantFrom("a", "b", "c");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("claim" as const),
    name: claimNames,
    storageClass: fc.constantFrom("standard", "standard-immediate", ""),
  }),
  fc.record({
    do: fc.constant("volume" as const),
    name: fc.constantFrom("v", "w"),
    zone: fc.constantFrom("zone-a", "zone-b"),
  }),
  fc.record({ do: fc.constant("pod" as const), name: fc.constantFrom("p", "q"), claim: claimNames }),
  fc.record({ do: fc.constant("delete-claim" as const), name: claimNames }),
  fc.record({ do: fc.constant("delete-volume" as const), name: fc.constantFrom("v", "w") }),
  fc.record({ do: fc.constant("delete-pod" as const), name: fc.constantFrom("p", "q") }),
  fc.constant<Step>({ do: "wait" }),
);

async function perform({ client, clock }: TestCluster, each: Step): Promise<void> {
  const at = (name: string) => ({ namespace: "default", name });
  switch (each.do) {
    case "claim": {
      const sized = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
      const spec = { ...sized, storageClassName: each.storageClass };
      return void (await client.create(persistentVolumeClaims, { metadata: at(each.name), spec }));
    }
    case "volume": {
      const matchExpressions = [{ key: zoneLabel, operator: "In", values: [each.zone] }];
      const nodeAffinity = { required: { nodeSelectorTerms: [{ matchExpressions }] } };
      const source = {
        hostPath: { path: "/data" },
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
      };
      return void (await client.create(persistentVolumes, {
        metadata: { name: each.name },
        spec: { ...source, nodeAffinity },
      }));
    }
    case "pod": {
      const volumes = [{ name: "data", persistentVolumeClaim: { claimName: each.claim } }];
      const spec = { containers: [{ name: "app", image: "app:1" }], volumes };
      return void (await client.create(pods, { metadata: at(each.name), spec }));
    }
    case "delete-claim":
      return void (await client.delete(persistentVolumeClaims, at(each.name)));
    case "delete-volume":
      return void (await client.delete(persistentVolumes, { name: each.name }));
    case "delete-pod":
      return void (await client.delete(pods, at(each.name)));
    case "wait":
      return clock.advance(3000);
  }
}

function stored<T extends StoredObject>({ store }: TestCluster, resource: Resource<T>): readonly T[] {
  // A collection holds only objects of its resource.
  return [...store.collection(qualifiedName(resource)).records()].map(({ object }) => object as unknown as T);
}

const claimsIn = (cluster: TestCluster) => stored(cluster, persistentVolumeClaims);
const volumesIn = (cluster: TestCluster) => stored(cluster, persistentVolumes);

/** Checks what must hold at every revision. */
function problemIn(cluster: TestCluster): string | undefined {
  const owned = claimsIn(cluster).flatMap(({ spec }) => spec.volumeName ?? []);
  if (new Set(owned).size < owned.length) return `two claims have one volume: ${owned.join(", ")}`;
  const zones = new Map(
    stored(cluster, nodes).map(({ metadata }) => [metadata.name, zoneOf(metadata) ?? ""]),
  );
  for (const pod of stored(cluster, pods)) {
    const zone = zones.get(pod.spec.nodeName ?? "");
    const problem = zone === undefined ? undefined : misplacement(pod, zone, cluster);
    if (problem !== undefined) return `${keyOf(pod)} is in ${zone ?? ""}, and ${problem}`;
  }
  return undefined;
}

/** Returns why a Pod must not be in a zone. */
function misplacement(pod: Pod, zone: string, cluster: TestCluster): string | undefined {
  for (const key of claimKeysOf(pod)) {
    const claim = claimsIn(cluster).find((each) => keyOf(each) === key);
    if (claim === undefined) return "its claim is gone";
    const volume = volumesIn(cluster).find(({ metadata }) => metadata.name === claim.spec.volumeName);
    if (volume === undefined) return "its claim has no volume";
    const allowed = zonesOf(volume);
    if (!allowed.includes(zone)) return `its volume is in ${allowed.join(", ")}`;
  }
  return undefined;
}

function zonesOf({ spec }: PersistentVolume): readonly string[] {
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return terms.flatMap(({ matchExpressions = [] }) => matchExpressions.flatMap(({ values = [] }) => values));
}

/** Checks what must hold once the cluster is stable. */
function unsettled(cluster: TestCluster): string | undefined {
  for (const volume of volumesIn(cluster).filter((each) => !isBeingDeleted(each))) {
    const { metadata, spec, status } = volume;
    const owner = claimsIn(cluster).find((claim) => claim.metadata.uid === spec.claimRef?.uid);
    const unclaimed = spec.claimRef === undefined ? "Available" : "Released";
    const expected = owner === undefined ? unclaimed : "Bound";
    if (status?.phase !== expected) return `${metadata.name} is ${status?.phase ?? ""}, not ${expected}`;
    if (owner !== undefined && owner.spec.volumeName !== metadata.name)
      return `${owner.metadata.name} has two volumes, one of them ${metadata.name}`;
  }
  return undefined;
}

/** Refuses every n-th write about volumes. */
const failing = (every: number) => {
  let writes = 0;
  return (call: ClientCall): Error | undefined => {
    const isWrite = call.verb === "update" || call.verb === "create" || call.verb === "patch";
    if (!isWrite || !call.collection.startsWith("persistentvolume")) return undefined;
    return ++writes % every === 0 ? apiFailure(500, "InternalError") : undefined;
  };
};

test("a volume never has two claims nor a claim two volumes, and Pods run only where theirs is, whatever fails", async () => {
  const run = fc.record({
    steps: fc.array(step, { minLength: 8, maxLength: 25 }),
    every: fc.integer({ min: 2, max: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(run, async ({ steps, every }) => {
      const refuse = failing(every);
      const cluster = await testCluster({
        zones: 2,
        nodes: 2,
        observed: ["persistentvolume-binder", "scheduler"],
        faults: [
          {
            call: (call, send) => {
              const refused = refuse(call);
              return refused === undefined ? send() : Promise.reject(refused);
            },
          },
        ],
      });
      const problems: string[] = [];
      const check = () => {
        const problem = problemIn(cluster);
        if (problem !== undefined) problems.push(problem);
      };
      for (const name of ["persistentvolumeclaims", "persistentvolumes", "pods"])
        cluster.store.collection(name).subscribe({ of: "all" }, check);
      try {
        for (const each of steps)
          await perform(cluster, each).catch((error: unknown) => {
            if (!isAlreadyExists(error) && !isNotFound(error)) throw error;
          });
        await cluster.clock.advance(120_000);
        problems.push(...[unsettled(cluster)].filter((problem) => problem !== undefined));
      } finally {
        await cluster.stop();
      }
      if (problems.length > 0) throw new Error(problems[0]);
    }),
    { numRuns: 6 },
  );
});
