import type { ClusterFault, FaultContext } from "./cluster-fault.ts";
import { clockSkew, crash, secondCopy, outage, compaction } from "./component-faults.ts";
import { containerCrash, foreignDeletion } from "./pod-faults.ts";
import { diskFailure } from "./disk-failure.ts";
import { nodeDeletion, nodeFailure, slowNode } from "./node-faults.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import { oneOf, randomInt } from "../../machinery/random/random.ts";

/** All cluster faults, one line each. */
const clusterFaults: readonly ClusterFault[] = [
  outage,
  compaction,
  crash,
  secondCopy,
  clockSkew,
  slowNode,
  nodeFailure,
  nodeDeletion,
  containerCrash,
  foreignDeletion,
  diskFailure,
];

/** Injects the cluster faults of one trial: about half of all kinds, and those that the scenario demands. */
export class ClusterFaultInjector {
  readonly #context: FaultContext;
  readonly #possible: readonly ClusterFault[];
  readonly #injected: Promise<unknown>[] = [];

  constructor(context: FaultContext, always: readonly string[] = []) {
    this.#context = context;
    this.#possible = clusterFaults
      .filter(({ needs }) => needs !== "disk" || context.disk !== undefined)
      .filter(({ name }) => context.random.next() < 0.5 || always.includes(name));
  }

  /** Begins up to two faults. */
  injectSome(): void {
    const { random } = this.#context;
    for (let count = randomInt(random, 3); count > 0; count--) {
      const fault = oneOf(this.#possible, random);
      if (fault === undefined) return;
      this.#injected.push(fault.inject(this.#context).catch(unlessRefused));
    }
  }

  /** Resolves when all of them have ended; throws what went wrong with a fault itself. */
  async finished(): Promise<void> {
    const errors = (await Promise.all(this.#injected)).filter((error) => error !== undefined);
    if (errors.length > 0) throw errors[0];
  }
}

/** Ignores refusals of the API server, since the object of a fault may be gone; any other error is a bug in the fault. */
function unlessRefused(error: unknown): unknown {
  return error instanceof ApiError ? undefined : error;
}
