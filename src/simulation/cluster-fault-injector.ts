import { ApiError } from "../machinery/client/api-error.ts";
import { oneOf, type Random, randomInt } from "../machinery/random/random.ts";
import { clusterFaults } from "./faults/cluster-faults.ts";
import type { ClusterFault, FaultContext } from "./faults/cluster-fault.ts";
import { requestFaults } from "./faults/request-faults.ts";
import { watchFaults } from "./faults/watch-faults.ts";

/** How often a fault strikes at least and at most, where it does at all. */
const rates: Readonly<Record<string, readonly [number, number]>> = {
  "slow-request": [0.05, 0.6],
  "delayed-watch": [0.05, 0.6],
  "stalled-watch": [0.002, 0.02],
};
const usualRate = [0.005, 0.1] as const;

/**
 * How often each fault strikes in one storm. Half of them never do: what one fault brings to light another one hides,
 * so storms have to be as different as can be.
 */
export function drawProbabilities(random: Random): ReadonlyMap<string, number> {
  const chances = new Map<string, number>();
  for (const { name } of [...requestFaults, ...watchFaults]) {
    const [least, most] = rates[name] ?? usualRate;
    const chance = least * (most / least) ** random.next();
    chances.set(name, random.next() < 0.5 ? chance : 0);
  }
  return chances;
}

/** The calamities of one storm. */
export class ClusterFaultInjector {
  readonly #realm: FaultContext;
  readonly #possible: readonly ClusterFault[];
  readonly #struck: Promise<unknown>[] = [];

  constructor(realm: FaultContext, always: readonly string[] = []) {
    this.#realm = realm;
    this.#possible = clusterFaults.filter(({ name }) => realm.random.next() < 0.5 || always.includes(name));
  }

  /** Begins one, or two, or none. */
  injectSome(): void {
    const { random } = this.#realm;
    for (let count = randomInt(random, 3); count > 0; count--) {
      const calamity = oneOf(this.#possible, random);
      if (calamity === undefined) return;
      this.#struck.push(calamity.inject(this.#realm).catch(unlessRefused));
    }
  }

  /** Resolves when the traces of all of them are gone; throws what went wrong with a calamity itself. */
  async finished(): Promise<void> {
    const flaws = (await Promise.all(this.#struck)).filter((flaw) => flaw !== undefined);
    if (flaws.length > 0) throw flaws[0];
  }
}

/** The world goes on meanwhile: what a calamity was about may be gone. Anything but a refusal is a flaw. */
function unlessRefused(error: unknown): unknown {
  return error instanceof ApiError ? undefined : error;
}
