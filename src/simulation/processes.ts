import type { ComponentOverrides, RunningComponent } from "../cluster/component-starter.ts";
import type { StoreEvent } from "../cluster/store/store.ts";
import {
  chainInterceptors,
  type ClientCall,
  interceptClient,
  type Interceptor,
} from "../machinery/client/intercept-client.ts";
import type { ControllerSpec } from "../machinery/controller.ts";
import type { InformerFactory } from "../machinery/informer/informer-factory.ts";
import { ProcessConnection } from "./faults/process-connection.ts";
import { SkewedClock } from "./faults/skewed-clock.ts";
import type { Observer, Process } from "./observation.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

/** A running process, and what faults can do to it. */
export interface RunningProcess extends Process {
  readonly connection: ProcessConnection;
  readonly clock: SkewedClock;
  /** Ends the process at once, in the middle of what it was doing. */
  readonly kill: () => void;
}

export interface ProcessesOptions {
  readonly observer: Observer;
  /** Stand between the connection of a component and the API. */
  readonly interceptors: (component: string) => readonly Interceptor[];
}

interface ProcessState extends RunningProcess {
  informers: InformerFactory | undefined;
  running: RunningComponent | undefined;
  isStopped: boolean;
}

/** The processes of a simulated cluster: each runs one component behind a connection and a clock of its own. */
export class Processes {
  readonly #options: ProcessesOptions;
  readonly #processes: ProcessState[] = [];
  /** How often each component was started. */
  readonly #starts = new Map<string, number>();
  #writing: { readonly by: Process; readonly call: ClientCall } | undefined;
  #cluster: SimulatedCluster | undefined;
  /** The clock skew of the process that is started next. */
  #skewMs = 0;

  constructor(options: ProcessesOptions) {
    this.#options = options;
  }

  /** The processes that run, of one component or of all. */
  running(component?: string): readonly RunningProcess[] {
    return this.#processes.filter(
      (process) => !process.isStopped && (component === undefined || process.component === component),
    );
  }

  /** For `startSimulatedCluster`: every component that is started gets a connection and a clock of its own. */
  readonly overrides = (component: string, shared: ComponentOverrides): ComponentOverrides => {
    const process = this.#create(component, shared);
    this.#processes.push(process);
    const { interceptors, observer } = this.#options;
    const { intercept = (spec) => spec } = shared;
    const client = interceptClient(
      shared.client,
      chainInterceptors([
        observingCalls(process, observer),
        process.connection.interceptor,
        ...interceptors(component),
        this.#attributingWrites(process),
      ]),
    );
    return {
      client,
      clock: process.clock,
      intercept: (spec) => observingSyncs(intercept(spec), process, observer),
    };
  };

  /** For `startSimulatedCluster`: reports every commit and the process that made it. */
  readonly committed = (collection: string, event: StoreEvent): void => {
    this.#options.observer({ kind: "commit", collection, event, ...this.#writing });
  };

  /** Attaches the components that the cluster was started with. */
  attach(cluster: SimulatedCluster): void {
    this.#cluster = cluster;
    for (const [index, component] of cluster.components.entries())
      attachTo(this.#processes[index], component);
  }

  /** Starts a component once more, beside any other, with a clock that is ahead by so much. */
  start(component: string, skewMs = 0): void {
    this.#skewMs = skewMs;
    const running = this.#cluster?.startComponent(component);
    this.#skewMs = 0;
    if (running !== undefined) attachTo(this.#processes.at(-1), running);
  }

  /** Leaves exactly one process of every component: the youngest of several. */
  runEachOnce(): void {
    for (const component of this.#starts.keys()) {
      const running = this.running(component);
      for (const { kill } of running.slice(0, -1)) kill();
      if (running.length === 0) this.start(component);
    }
  }

  #create(component: string, { clock }: ComponentOverrides): ProcessState {
    const incarnation = (this.#starts.get(component) ?? 0) + 1;
    this.#starts.set(component, incarnation);
    const connection = new ProcessConnection();
    const process: ProcessState = {
      component,
      incarnation,
      connection,
      clock: new SkewedClock(clock, this.#skewMs),
      informers: undefined,
      running: undefined,
      isStopped: false,
      kill: () => {
        process.isStopped = true;
        connection.cut(`${component} has crashed`);
        void process.running?.stop();
      },
    };
    return process;
  }

  /** The last interceptor before the API, which commits before `send` returns: so its commits are this process's. */
  #attributingWrites(by: Process): Interceptor {
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

function attachTo(process: ProcessState | undefined, running: RunningComponent): void {
  if (process === undefined) return;
  process.running = running;
  process.informers = running.informers;
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
