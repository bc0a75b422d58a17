import { setMaxListeners } from "node:events";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import { namespaces } from "../../src/api/resources.ts";
import { createApiServer } from "../../src/cluster/apiserver/create-api-server.ts";
import type { Disk } from "../../src/cluster/store/durable/disk.ts";
import { openDurableStore } from "../../src/cluster/store/durable/durable-store.ts";
import type { Store } from "../../src/cluster/store/store.ts";
import { ApiError, isAlreadyExists } from "../../src/machinery/client/api-error.ts";
import type { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import type { Random } from "../../src/machinery/random/random.ts";
import {
  type DiskConditions,
  goodConditions,
  openSimulatedDisk,
} from "../../src/simulation/disk/simulated-disk.ts";
import { SimulatedMedium } from "../../src/simulation/disk/simulated-medium.ts";
import { type ServerRun, unlessEnded } from "./clients.ts";
import { History } from "./history.ts";

/** How a process ends: it stops, it is killed, or the power fails. */
export type Ending = "stop" | "kill" | "power";

/** A safeguard of the store that is removed on purpose, to prove that a check notices it. */
export interface StoreMutation {
  readonly disk?: (disk: Disk) => Disk;
  readonly store?: (store: Store) => Store;
}

/** A process on a simulated machine. */
export interface SimulatedServer extends ServerRun {
  /** Calls back at a later call of the disk. */
  readonly atDiskCall: (calls: number, then: () => void) => void;
  readonly end: (how: Ending) => Promise<void>;
}

/** A machine in virtual time: its disk outlives the API servers that run on it, one after the other. */
export class SimulatedMachine {
  readonly conditions: DiskConditions = goodConditions();
  readonly #medium = new SimulatedMedium();
  readonly #clock: VirtualClock;
  readonly #random: Random;
  readonly #mutation: StoreMutation;
  /** How many starts the disk has failed. */
  refusedStarts = 0;

  constructor(clock: VirtualClock, random: Random, mutation: StoreMutation = {}) {
    this.#clock = clock;
    this.#random = random;
    this.#mutation = mutation;
  }

  /** Starts an API server, again and again until the disk can be read. */
  async start(): Promise<SimulatedServer> {
    for (;;) {
      try {
        return await this.#open();
      } catch (error) {
        if (!isOfDisk(error)) throw error;
        this.refusedStarts++;
        await this.#clock.sleep(1000);
      }
    }
  }

  async #open(): Promise<SimulatedServer> {
    let [calls, then] = [0, () => {}];
    const called = () => {
      if (--calls === 0) then();
    };
    const clock = this.#clock;
    const simulated = openSimulatedDisk({
      medium: this.#medium,
      clock,
      random: this.#random,
      conditions: this.conditions,
      called,
    });
    const { disk = (same) => same, store: mutated = (same) => same } = this.#mutation;
    const store = mutated(await openDurableStore({ disk: disk(simulated), clock }));
    const server = createApiServer({
      clock,
      random: this.#random.fork("server"),
      store,
      gates: () => defaultFeatureGates,
      log: silentLogger,
      token: "token",
    });
    const ending = new AbortController();
    setMaxListeners(0, ending.signal);
    await server.client
      .create(namespaces, { metadata: { name: "default" }, spec: {} })
      .catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error;
      });
    return {
      client: server.client,
      ended: ending.signal,
      history: new History(),
      atDiskCall(count, callback) {
        [calls, then] = [count, callback];
      },
      end: async (how) => {
        if (ending.signal.aborted) return;
        ending.abort(new Error(`the server has ended (${how})`));
        if (how === "stop") await store.close().catch(unlessOfDisk);
        simulated.kill();
        if (how === "power") this.#medium.losePower(this.#random);
        await server.close();
      },
    };
  }
}

/** Fails unless writes are taken within some seconds: after its faults a disk has to be of use again. */
export async function untilWritable(server: ServerRun, clock: VirtualClock): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const written = server.client.create(namespaces, { metadata: { generateName: "probe-" }, spec: {} });
    try {
      await unlessEnded(server.ended, written);
      return;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await clock.sleep(1000);
    }
  }
  server.history.violated("writes come back", "ten seconds after the last fault no write is taken");
}

/** An error of the simulated disk, or the Status that the API server makes of it. */
function isOfDisk(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === "EIO" || code === "ENOSPC" || code === 503 || code === 507;
}

function unlessOfDisk(error: unknown): void {
  if (!isOfDisk(error)) throw error;
}
