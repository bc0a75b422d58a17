import { runComponents, type RunComponentsOptions } from "../machinery/component/component.ts";
import { workloadControllers, type WorkloadControllersOptions } from "./workload-controllers.ts";

export interface RunControllersOptions extends RunComponentsOptions, WorkloadControllersOptions {}

/** Runs the workload controllers until the signal aborts; see `runComponents`. */
export function runControllers(options: RunControllersOptions, signal: AbortSignal): Promise<void> {
  return runComponents(workloadControllers(options), options, signal);
}
