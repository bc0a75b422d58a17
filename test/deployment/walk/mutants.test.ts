import { expect, test } from "vitest";
import type { ReplicaSet, ReplicaSetStatus } from "../../../src/api/generated/apps-v1.ts";
import type { Mutation } from "./mutation.ts";
import { walk } from "./walk.ts";

/** Reports are read with something in them overlooked. */
const reading = (overlook: (status: ReplicaSetStatus, of: ReplicaSet) => ReplicaSetStatus): Mutation => ({
  reads: (replicaSet) => ({
    ...replicaSet,
    status: overlook(replicaSet.status ?? { replicas: 0 }, replicaSet),
  }),
});

const beyondCap = /more than \d+$/;
const takenInFact = /available Pods are taken of \d+ in fact/;

// The judges have to bite: where the controller lacks a guard that matters, walks find it.
test.for([
  {
    name: "reports older than a size are taken for current",
    mutation: reading((status, { metadata }) => ({
      ...status,
      observedGeneration: metadata.generation ?? 0,
    })),
    says: beyondCap,
  },
  {
    name: "terminating Pods are not counted",
    mutation: reading((status) => ({ ...status, terminatingReplicas: 0 })),
    says: beyondCap,
  },
  {
    name: "Pods that are yet to be deleted are not counted",
    mutation: reading((status, { spec }) => ({
      ...status,
      replicas: Math.min(status.replicas, spec.replicas ?? 1),
    })),
    says: beyondCap,
  },
  {
    name: "Pods are taken for available as soon as they are there",
    mutation: reading((status) => ({ ...status, availableReplicas: status.replicas })),
    says: takenInFact,
  },
  {
    name: "the controller does not wait to read what it wrote",
    mutation: { controller: (spec) => ({ ...spec, written: undefined }) } satisfies Mutation,
    says: beyondCap,
  },
])("within 50 walks it is noticed when $name", async ({ mutation, says }) => {
  expect(await firstNotice(mutation, says)).toMatch(says);
});

async function firstNotice(mutation: Mutation, says: RegExp): Promise<string | undefined> {
  for (let index = 0; index < 50; index++) {
    const { breaches } = await walk(`walk ${index}`, mutation);
    const found = breaches.find((breach) => says.test(breach));
    if (found !== undefined) return found;
  }
  return undefined;
}
