// Run a controller of one's own, and run ours: the published subpath `trimtab/controllers`.

// A controller: what it watches and how it reconciles a key.
export {
  type ControllerSpec,
  done,
  type KeyQueue,
  type ReconcileResult,
  TerminalError,
  type WatchSource,
  watching,
} from "../machinery/controller.ts";
export { enqueueObject, enqueueOwner } from "../machinery/ownership/enqueue-owner.ts";
export { ownerIndexOf } from "../machinery/ownership/owner-index.ts";
export { isConflict, isNotFound } from "../machinery/client/api-error.ts";
export { type EventDraft, type EventRecorder, referenceTo } from "../machinery/events/event-draft.ts";
export { eventRecorderFor } from "../machinery/events/event-recorder.ts";

// Common collections of the API; a `Resource` describes any other.
export type { Resource } from "../api/resource.ts";
export {
  configMaps,
  deployments,
  jobs,
  namespaces,
  nodes,
  pods,
  replicaSets,
  secrets,
  services,
} from "../api/resources.ts";
export { keyOf } from "../api/object.ts";

// How controllers run: as components of a cluster, or as a program against an API server.
export {
  type Component,
  type ComponentEnvironment,
  controllerComponent,
} from "../machinery/component/component.ts";
export { runComponents } from "../machinery/component/component.ts";
export { runAsLeader, type RunAsLeaderOptions } from "./run-as-leader.ts";

// Ours.
export { workloadControllers, type WorkloadControllersOptions } from "./workload-controllers.ts";
export { runControllers, type RunControllersOptions } from "./run-controllers.ts";
