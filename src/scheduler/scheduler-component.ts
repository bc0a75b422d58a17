import { pods } from "../api/resources.ts";
import type { Component, ComponentEnvironment } from "../machinery/component/component.ts";
import { eventRecorderFor } from "../machinery/events/event-recorder.ts";
import type { CurrentConfig } from "./configuration/current-config.ts";
import { createScheduler, type Scheduler, type SchedulerDependencies } from "./create-scheduler.ts";

export interface SchedulerComponentOptions extends Pick<
  SchedulerDependencies,
  "claims" | "records" | "maxBindings"
> {
  readonly config: CurrentConfig;
}

/**
 * The scheduler as a component. A new configuration replaces the scheduler: the old one finishes its bindings,
 * and the new one starts from the caches of the informers.
 */
export function schedulerComponent(options: SchedulerComponentOptions): Component {
  return {
    name: "scheduler",
    kinds: [pods],
    async start(environment) {
      const { signal } = environment;
      do await runUntilReplaced(options, environment);
      while (!signal.aborted);
    },
  };
}

async function runUntilReplaced(
  { config, ...options }: SchedulerComponentOptions,
  environment: ComponentEnvironment,
): Promise<void> {
  const { signal, ...rest } = environment;
  const replaced = new AbortController();
  const stopListening = config.onReplaced(() => replaced.abort(new Error("the configuration was replaced")));
  const scheduler: Scheduler = createScheduler({
    ...rest,
    ...options,
    config: config.value,
    recorder: (schedulerName) => eventRecorderFor(environment, schedulerName),
  });
  try {
    await scheduler.run(AbortSignal.any([signal, replaced.signal]), signal);
  } finally {
    stopListening();
  }
}
