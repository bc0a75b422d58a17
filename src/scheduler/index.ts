// The scheduler: the published subpath `trimtab/scheduler`.

export { createScheduler, type Scheduler, type SchedulerDependencies } from "./create-scheduler.ts";
export { parseSchedulerConfig } from "./configuration/parse-scheduler-config.ts";
export { defaultSchedulerConfig, type SchedulerConfig } from "./configuration/scheduler-config.ts";
