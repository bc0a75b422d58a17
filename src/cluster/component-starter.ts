import { expectManyListeners } from "../machinery/abort/many-listeners.ts";
import { messageOf } from "../api/message-of.ts";
import { withFieldManager } from "../machinery/client/intercept-client.ts";
import type { Component, ComponentEnvironment } from "../machinery/component/component.ts";
import { InformerFactory } from "../machinery/informer/informer-factory.ts";

/**
 * The parts of its environment that one component may have for itself, so that it can be late, disconnected or wrong
 * alone.
 */
export type ComponentOverrides = Pick<ComponentEnvironment, "client" | "clock" | "intercept">;

/** A component that was started. */
export interface RunningComponent {
  readonly name: string;
  readonly informers: InformerFactory;
  /** Stops this component alone; resolves when it has stopped. */
  readonly stop: () => Promise<void>;
}

export interface ComponentStarterOptions {
  readonly components: readonly Component[];
  readonly environment: Omit<ComponentEnvironment, "informers" | "signal">;
  /** Called for every component that is started; absent: components share clients, clock and informers. */
  readonly overrides?: ((component: string, shared: ComponentOverrides) => ComponentOverrides) | undefined;
  /** Stops all components. */
  readonly signal: AbortSignal;
}

/** Starts the components of one cluster. */
export interface ComponentStarter {
  start(name: string): RunningComponent;
  /** Starts the informers that components share; those of a single component start with it. */
  startSharedInformers(): void;
  /** Resolves when everything that was started has stopped. */
  stopped(): Promise<void>;
}

export function componentStarter(options: ComponentStarterOptions): ComponentStarter {
  const { components, environment, overrides, signal: stopping } = options;
  const { random, log, metrics } = environment;
  expectManyListeners(stopping); // every component of the cluster listens
  const running: Promise<void>[] = [];
  const informersOf = ({ client, clock }: ComponentOverrides) =>
    new InformerFactory({ client, clock, random: random.fork("informers"), log });
  const shared = informersOf(environment);
  const started = new Map<string, number>();

  /** Returns a random source by name; a second instance must not draw the numbers of the first. */
  const randomFor = (name: string) => {
    const count = started.get(name) ?? 0;
    started.set(name, count + 1);
    return random.fork(count === 0 ? "components" : `components ${count}`);
  };

  return {
    start(name) {
      const component = components.find((each) => each.name === name);
      if (component === undefined) throw new Error(`the cluster has no component ${JSON.stringify(name)}`);
      // Its writes carry its name in the managed fields of objects.
      const named = { ...environment, client: withFieldManager(environment.client, name) };
      const own = overrides?.(name, named);
      const informers = own === undefined ? shared : informersOf(own);
      const stop = new AbortController();
      const signal = AbortSignal.any([stopping, stop.signal]);
      expectManyListeners(signal); // everything in the component listens
      const { client, clock, intercept } = own ?? named;
      const tasks = [
        component.start({
          client,
          clock,
          random: randomFor(name),
          log,
          metrics,
          informers,
          signal,
          intercept,
        }),
      ];
      if (own !== undefined) tasks.push(informers.run(signal));
      for (const task of tasks)
        task.catch((error: unknown) =>
          log.error("a component ended", { component: name, error: messageOf(error) }),
        );
      running.push(...tasks);
      return {
        name,
        informers,
        async stop() {
          stop.abort(new Error(`${name} is stopping`));
          await Promise.allSettled(tasks);
        },
      };
    },

    startSharedInformers: () => void running.push(shared.run(stopping)),

    async stopped() {
      await Promise.allSettled(running);
    },
  };
}
