import type { Resource } from "../../api/resource.ts";
import type { Client } from "../client/client.ts";
import type { Clock } from "../clock/clock.ts";
import { type ControllerSpec, runController } from "../controller.ts";
import { InformerFactory } from "../informer/informer-factory.ts";
import type { Logger } from "../log/logger.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { workqueueMetrics } from "../metrics/workqueue-metrics.ts";
import type { Random } from "../random/random.ts";

/** What a component is started with. */
export interface ComponentEnvironment {
  readonly client: Client;
  readonly clock: Clock;
  /** A stream of this component alone. */
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** May be shared with other components; follows its collections without the component's help. */
  readonly informers: InformerFactory;
  /** Stops the component. */
  readonly signal: AbortSignal;
  /** Wraps every controller before it runs, so that the simulation can observe or alter it. */
  readonly intercept?: ((spec: ControllerSpec) => ControllerSpec) | undefined;
}

/** A part of a cluster that would be a process of its own elsewhere: a controller, the scheduler, the kubelet. */
export interface Component {
  readonly name: string;
  /** The kinds that take effect because this component runs. */
  readonly kinds: readonly Resource[];
  /**
   * Requests its informers before it returns; resolves when the signal has aborted and the last work has ended.
   * Each call starts another instance.
   */
  start(environment: ComponentEnvironment): Promise<void>;
}

export interface ControllerComponentOptions {
  /** The name of the controller. */
  readonly name: string;
  readonly kinds?: readonly Resource[];
  /** Requests only the informers this controller reads. */
  readonly create: (environment: ComponentEnvironment) => ControllerSpec;
}

/** A component that runs one controller. */
export function controllerComponent({ name, kinds = [], create }: ControllerComponentOptions): Component {
  return {
    name,
    kinds,
    start(environment) {
      const { clock, log, metrics, signal, intercept = (spec) => spec } = environment;
      const spec = intercept(create(environment));
      return runController(spec, { clock, log, metrics: workqueueMetrics(metrics) }, signal);
    },
  };
}

export interface RunComponentsOptions extends Omit<ComponentEnvironment, "informers" | "signal"> {
  /** Called when every informer has listed its collection. */
  readonly synced?: ((informers: InformerFactory) => void) | undefined;
}

/**
 * Runs components with informers of their own, against the API server the client reaches, until the signal aborts and
 * all have stopped. A component that fails stops the others; its error is thrown once they have stopped too.
 */
export async function runComponents(
  components: readonly Component[],
  options: RunComponentsOptions,
  signal: AbortSignal,
): Promise<void> {
  const { client, clock, random, log, metrics, intercept, synced } = options;
  const informers = new InformerFactory({ client, clock, random: random.fork("informers"), log });
  const failed = new AbortController();
  const stopping = AbortSignal.any([signal, failed.signal]);
  const environment: ComponentEnvironment = {
    client,
    clock,
    random,
    log,
    metrics,
    informers,
    signal: stopping,
    intercept,
  };
  const running: Promise<unknown>[] = [];
  try {
    for (const component of components) running.push(component.start(environment));
    running.push(informers.run(stopping));
    running.push(informers.synced(stopping).then((isSynced) => void (isSynced && synced?.(informers))));
    await Promise.all(running);
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled(running);
    throw error;
  }
}
