import type { SchedulerConfig } from "./scheduler-config.ts";
import { podTopologySpreadEntry } from "../../decisions/placement/pod-topology-spread/plugin.ts";
import type { DefaultsByScheduler } from "../../decisions/spread/spread-of.ts";
import { defaultSchedulerName } from "../scheduler-name.ts";

/** The configuration a scheduler runs with, which may be replaced while it runs. */
export class CurrentConfig {
  #config: SchedulerConfig;
  readonly #listeners = new Set<() => void>();

  constructor(config: SchedulerConfig) {
    this.#config = config;
  }

  get value(): SchedulerConfig {
    return this.#config;
  }

  /** Replaces the configuration and calls the listeners, which run with the old one. */
  replace(config: SchedulerConfig): void {
    this.#config = config;
    for (const listener of this.#listeners) listener();
  }

  /** Calls the listener at each replacement; the returned function ends that. */
  onReplaced(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** The arguments of PodTopologySpread by the name of a profile; `undefined` where it neither scores nor filters. */
export function spreadDefaultsOf({ profiles }: Pick<SchedulerConfig, "profiles">): DefaultsByScheduler {
  const enabled = profiles.filter(({ plugins: { at } }) =>
    [...at.filter, ...at.score].includes(podTopologySpreadEntry.name),
  );
  const argsByName = new Map(
    enabled.map(({ schedulerName, args }) => [schedulerName, args.PodTopologySpread]),
  );
  return (schedulerName = defaultSchedulerName) => argsByName.get(schedulerName);
}
