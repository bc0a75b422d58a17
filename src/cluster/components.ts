import { batchControllers } from "../controllers/batch-controllers.ts";
import { optionalControllers, type OptionalControllersOptions } from "../controllers/optional-controllers.ts";
import { workloadControllers, type WorkloadControllersOptions } from "../controllers/workload-controllers.ts";
import type { Component } from "../machinery/component/component.ts";
import type { SchedulerConfig } from "../scheduler/configuration/scheduler-config.ts";
import { spreadDefaultsOf, CurrentConfig } from "../scheduler/configuration/current-config.ts";
import type { PlacementLog } from "../scheduler/records/placement-log.ts";
import { schedulerComponent } from "../scheduler/scheduler-component.ts";
import { housekeeping, type HousekeepingOptions } from "./housekeeping/housekeeping-components.ts";
import { kubelet } from "./kubelet/kubelet-component.ts";
import { horizontalPodAutoscaler } from "./simulated-metrics/autoscaler-component.ts";

/** What the components of a cluster need besides the environment they are started in. */
export interface ClusterComponentsOptions
  extends WorkloadControllersOptions, OptionalControllersOptions, HousekeepingOptions {
  readonly schedulerConfig: SchedulerConfig;
  /** Where `/debug/placements` finds placements. */
  readonly placements: PlacementLog;
}

/** Every component of the embedded cluster but the API server. */
export function clusterComponents(options: ClusterComponentsOptions): readonly Component[] {
  return [
    ...workloadControllers({
      spreadDefaults: (name) => spreadDefaultsOf(options.schedulerConfig)(name),
      ...options,
    }),
    ...optionalControllers(options),
    ...batchControllers,
    ...housekeeping(options),
    horizontalPodAutoscaler,
    kubelet,
    scheduler(options),
  ];
}

function scheduler({ schedulerConfig, placements }: ClusterComponentsOptions): Component {
  const config = new CurrentConfig(schedulerConfig);
  return schedulerComponent({ config, records: placements, claims: "simulated" });
}
