import { setMaxListeners } from "node:events";
import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import { InformerFactory } from "../machinery/informer/informer-factory.ts";
import { type ComponentEnvironment, components } from "./parts.ts";

/** What a part of the cluster knows of the world. */
export interface ComponentOverrides extends Pick<ComponentEnvironment, "intercept" | "expectations"> {
  readonly client: Client;
  readonly clock: Clock;
}

/** A part of the cluster at work: what would be a process of its own elsewhere. */
export interface RunningComponent {
  readonly name: string;
  readonly informers: InformerFactory;
  /** Ends this part alone and resolves when it has come home. */
  readonly stop: () => Promise<void>;
}

export interface ComponentStarterOptions {
  readonly common: Omit<ComponentEnvironment, "informers" | "ending">;
  readonly overrides?: ((part: string, shared: ComponentOverrides) => ComponentOverrides) | undefined;
  /** Ends all parts. */
  readonly ending: AbortSignal;
}

/** Starts the parts of one cluster. */
export interface ComponentStarter {
  start(name: string): RunningComponent;
  /** Lets the informers that parts share begin; those of a part alone begin with it. */
  startSharedInformers(): void;
  /** Resolves when everything that was started has ended. */
  ended(): Promise<void>;
}

/** Parts share their informers, unless each has surroundings of its own. */
export function componentStarter({ common, overrides, ending }: ComponentStarterOptions): ComponentStarter {
  setMaxListeners(0, ending); // a whole cluster ends by it
  const running: Promise<void>[] = [];
  const informersIn = (own: ComponentOverrides) =>
    new InformerFactory({ ...common, ...own, random: common.random.fork("informers") });
  const shared = informersIn(common);
  const started = new Map<string, number>();

  /** The second of a name must not repeat the chance of the first. */
  const chanceFor = (name: string) => {
    const count = started.get(name) ?? 0;
    started.set(name, count + 1);
    return common.random.fork(count === 0 ? "components" : `components ${count}`);
  };

  return {
    start(name) {
      const plan = components.find((each) => each.name === name);
      if (plan === undefined) throw new Error(`no part of a cluster: ${name}`);
      const own = overrides?.(name, common);
      const informers = own === undefined ? shared : informersIn(own);
      const ownEnding = new AbortController();
      const signal = AbortSignal.any([ending, ownEnding.signal]);
      setMaxListeners(0, signal); // everything in a part ends with it
      const run = plan.create({ ...common, ...own, random: chanceFor(name), informers, ending: signal });
      const parts = [run(signal)];
      if (own !== undefined) parts.push(informers.run(signal));
      running.push(...parts);
      return {
        name,
        informers,
        async stop() {
          ownEnding.abort(new Error(`${name} is stopping`));
          await Promise.allSettled(parts);
        },
      };
    },

    startSharedInformers: () => void running.push(shared.run(ending)),

    async ended() {
      await Promise.allSettled(running);
    },
  };
}
