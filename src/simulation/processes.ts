import type { RunningComponent, ComponentOverrides } from "../cluster/component-starter.ts";
import type { StoreEvent } from "../cluster/store/store.ts";
import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { ControllerSpec } from "../machinery/controller.ts";
import type { Expectations } from "../machinery/expectations.ts";
import type { InformerFactory } from "../machinery/informer/informer-factory.ts";
import {
  type ClientCall,
  chainInterceptors,
  interceptClient,
  type Interceptor,
} from "../machinery/client/intercept-client.ts";
import { ProcessConnection } from "./faults/process-connection.ts";
import { SkewedClock } from "./faults/skewed-clock.ts";
import type { Process, Observer } from "./observation.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

/** An inhabitant, and what can be done to it. */
export interface RunningProcess extends Process {
  readonly connection: ProcessConnection;
  readonly clock: SkewedClock;
  /** Ends this life at once, in the middle of whatever it was about to do. */
  readonly kill: () => void;
}

/** What is wrong with every part, for those who want to see whether anybody notices. */
export interface Mutation {
  readonly client?: (client: Client) => Client;
  readonly controller?: (spec: ControllerSpec) => ControllerSpec;
  readonly expectations?: (clock: Clock) => Expectations;
}

export interface ProcessesOptions {
  readonly observer: Observer;
  /** What stands between the lines of a part and the API. */
  readonly interceptors: (part: string) => readonly Interceptor[];
  readonly mutation?: Mutation | undefined;
}

interface ProcessState extends RunningProcess {
  informers: InformerFactory | undefined;
  body: RunningComponent | undefined;
  isStopped: boolean;
}

/** Everybody who lives in a world, each behind a line of his own. */
export class Processes {
  readonly #options: ProcessesOptions;
  readonly #lives: ProcessState[] = [];
  readonly #births = new Map<string, number>();
  #writing: { readonly by: Process; readonly call: ClientCall } | undefined;
  #world: SimulatedCluster | undefined;
  /** Of whoever is born next. */
  #skewMs = 0;

  constructor(options: ProcessesOptions) {
    this.#options = options;
  }

  /** Who is alive, of one part or of all. */
  running(part?: string): readonly RunningProcess[] {
    return this.#lives.filter((life) => !life.isStopped && (part === undefined || life.component === part));
  }

  /** For `startWorld`: every part that is started gets a line and a clock of its own. */
  readonly environment = (part: string, shared: ComponentOverrides): ComponentOverrides => {
    const life = this.#bear(part, shared);
    this.#lives.push(life);
    const { mutation = {}, interceptors, observer } = this.#options;
    const { client: mutated = (client) => client, controller = (spec) => spec } = mutation;
    const client = interceptClient(
      mutated(shared.client),
      chainInterceptors([
        observingCalls(life, observer),
        life.connection.interceptor,
        ...interceptors(part),
        this.#arrival(life),
      ]),
    );
    return {
      client,
      clock: life.clock,
      expectations: mutation.expectations?.(life.clock),
      intercept: (spec) => observingSyncs(controller(spec), life, observer),
    };
  };

  /** For `startWorld`: tells of every commit, and who made it. */
  readonly committed = (collection: string, event: StoreEvent): void => {
    this.#options.observer({ kind: "commit", collection, event, ...this.#writing });
  };

  /** Gives those who were born with the world their bodies. */
  attach(world: SimulatedCluster): void {
    this.#world = world;
    for (const [index, part] of world.components.entries()) this.#embody(this.#lives[index], part);
  }

  /** A new life of a part, beside any other, with a clock that is so far ahead. */
  start(part: string, skewMs = 0): void {
    this.#skewMs = skewMs;
    const body = this.#world?.startComponent(part);
    this.#skewMs = 0;
    if (body !== undefined) this.#embody(this.#lives.at(-1), body);
  }

  /** Every part lives exactly once: the youngest of several stays. */
  runEachOnce(): void {
    for (const part of this.#births.keys()) {
      const living = this.running(part);
      for (const { kill } of living.slice(0, -1)) kill();
      if (living.length === 0) this.start(part);
    }
  }

  #bear(part: string, { clock }: ComponentOverrides): ProcessState {
    const number = (this.#births.get(part) ?? 0) + 1;
    this.#births.set(part, number);
    const line = new ProcessConnection();
    const life: ProcessState = {
      component: part,
      incarnation: number,
      connection: line,
      clock: new SkewedClock(clock, this.#skewMs),
      informers: undefined,
      body: undefined,
      isStopped: false,
      kill: () => {
        life.isStopped = true;
        line.cut(`${part} has died`);
        void life.body?.stop();
      },
    };
    return life;
  }

  #embody(life: ProcessState | undefined, body: RunningComponent): void {
    if (life === undefined) return;
    life.body = body;
    life.informers = body.informers;
  }

  /** The last before the API, which writes before it returns: so whoever calls then is the one who writes. */
  #arrival(by: Process): Interceptor {
    return {
      call: (call, send) => {
        this.#writing = { by, call };
        try {
          return send();
        } finally {
          this.#writing = undefined;
        }
      },
    };
  }
}

function observingCalls(by: Process, observer: Observer): Interceptor {
  return {
    async call(call, send) {
      observer({ kind: "called", by, call });
      try {
        const answer = await send();
        observer({ kind: "answered", by, call, answer });
        return answer;
      } catch (error) {
        observer({ kind: "failed", by, call, error });
        throw error;
      }
    },
  };
}

function observingSyncs(spec: ControllerSpec, by: Process, observer: Observer): ControllerSpec {
  return {
    ...spec,
    async reconcile(key, signal) {
      observer({ kind: "sync-began", by, key });
      try {
        return await spec.reconcile(key, signal);
      } finally {
        observer({ kind: "sync-ended", by, key });
      }
    },
  };
}
