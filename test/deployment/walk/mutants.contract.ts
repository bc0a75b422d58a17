import { expect, test } from "vitest";
import type { ReplicaSet, ReplicaSetStatus } from "../../../src/api/generated/apps-v1.ts";
import type { Mutation } from "./mutation.ts";
import { promisesOf, type Promises } from "./promises.ts";
import { routeFrom, walk } from "./walk.ts";

/** A Deployment controller that lacks a guard, and what has to be noticed for that reason. */
export interface Mutant {
  readonly name: string;
  readonly mutation: Mutation;
  /** What it breaks. */
  readonly promise: keyof Promises;
  readonly says: RegExp;
}

/** Reports are read with something in them overlooked. */
export function overlooking(
  overlook: (status: ReplicaSetStatus, of: ReplicaSet) => ReplicaSetStatus,
): Mutation {
  return {
    reads: (replicaSet) => ({
      ...replicaSet,
      status: overlook(replicaSet.status ?? { replicas: 0 }, replicaSet),
    }),
  };
}

export const beyondCap = /more than \d+$/;
export const takenInFact = /available Pods are taken of \d+ in fact/;

/** The judges have to bite: where the controller lacks a guard that matters, so many walks suffice to find it. */
export function describeMutants(count: number, mutants: readonly Mutant[]): void {
  test.for(mutants)(`within ${count} walks it is noticed when $name`, async ({ mutation, promise, says }) => {
    for (const seed of aptSeeds(count, promise)) {
      const { breaches } = await walk(seed, mutation);
      if (breaches.some((breach) => says.test(breach))) return;
    }
    expect.fail("nobody noticed");
  });
}

/** Walks in which the promise is given at all. */
function* aptSeeds(count: number, promise: keyof Promises): Generator<string> {
  for (let index = 0, found = 0; found < count; index++) {
    const seed = `walk ${index}`;
    if (!promisesOf(routeFrom(seed))[promise]) continue;
    found++;
    yield seed;
  }
}
