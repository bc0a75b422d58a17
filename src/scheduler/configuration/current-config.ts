import type { SchedulerConfig } from "./scheduler-config.ts";

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
