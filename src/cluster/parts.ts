import { type ControllerSpec, runController } from "../machinery/controller.ts";
import { eventRecorderFor } from "../machinery/events/event-recorder.ts";
import type { QueueMetrics } from "../machinery/work-queue/queue-metrics.ts";
import type { SchedulerConfig } from "../scheduler/configuration/scheduler-config.ts";
import { createScheduler } from "../scheduler/create-scheduler.ts";
import type { PlacementDecision, PlacementRecord } from "../decisions/explain/placement-record.ts";
import type { DecisionLog } from "../machinery/diagnostics/decision-log.ts";
import { type ComponentDependencies, componentPlans } from "./components.ts";

/** What the parts of a cluster are made from: controllers, and the scheduler. */
export interface ComponentEnvironment extends ComponentDependencies {
  readonly queues: (queue: string) => QueueMetrics;
  readonly schedulerConfig: SchedulerConfig;
  readonly placements: DecisionLog<PlacementDecision, PlacementRecord>;
  /** Stands between a controller and the loop that runs it, for those who watch what it does. */
  readonly intercept?: ((spec: ControllerSpec) => ControllerSpec) | undefined;
}

/** A part that can be started: what would be a process of its own elsewhere. */
export interface Component {
  readonly name: string;
  /** Asks for the informers it needs at once; what it answers works until the signal aborts. */
  readonly create: (deps: ComponentEnvironment) => (signal: AbortSignal) => Promise<void>;
}

/** Every part of the embedded cluster but the API server. */
export const components: readonly Component[] = [
  ...componentPlans.map(({ name, create }): Component => ({
    name,
    create: (deps) => {
      const created = create(deps);
      const spec = deps.intercept?.(created) ?? created;
      return (signal) => runController(spec, { ...deps, metrics: deps.queues }, signal);
    },
  })),
  {
    name: "scheduler",
    create: (deps) => {
      const { schedulerConfig: config, placements: records } = deps;
      const recorder = (component: string) => eventRecorderFor(deps, component);
      const scheduler = createScheduler({ ...deps, config, records, recorder, claims: "ignored" });
      return (signal) => scheduler.run(signal);
    },
  },
];
