// The scheduler: the published subpath `trimtab/scheduler`.

export { createScheduler, type Scheduler } from "./create-scheduler.ts";
export { parseSchedulerConfig } from "./configuration/parse-scheduler-config.ts";
export { defaultSchedulerConfig, type SchedulerConfig } from "./configuration/scheduler-config.ts";

// What authors of plugins use.
export {
  fails,
  fits,
  type Plugin,
  type PostFilterResult,
  type PreFilterResult,
  type Scorer,
  unresolvable,
  unschedulable,
  type Verdict,
} from "../decisions/placement/plugin.ts";
export type { PluginEntry } from "../decisions/placement/plugin-entry.ts";
export { noHints, type QueueingHints, queueingHints } from "../decisions/placement/cluster-event.ts";
export type { ClusterEvent } from "../decisions/placement/cluster-event.ts";
export type { NodeInfo } from "../decisions/placement/objects/node-info.ts";
export type { PodInfo } from "../decisions/placement/objects/pod-info.ts";
export type { ClusterView } from "../decisions/placement/view/cluster-view.ts";
