// What controllers are built from: the published subpath `trimtab/machinery`.

export type { Clock } from "./clock/clock.ts";
export { VirtualClock } from "./clock/virtual-clock.ts";
export { WallClock } from "./clock/wall-clock.ts";
export { type Random, seededRandom } from "./random/random.ts";
export { systemRandom } from "./random/system-random.ts";

// The client and its errors.
export type { Client, Patch } from "./client/client.ts";
export { ApiError, isAlreadyExists, isConflict, isNotFound } from "./client/api-error.ts";
export { HttpsClient } from "./client/http/https-client.ts";
export type { Connection } from "./client/connection/connection.ts";
export { inClusterConnection } from "./client/connection/in-cluster.ts";
export { kubeconfigPaths, loadKubeconfig } from "./client/connection/kubeconfig.ts";

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

export { Informer, type ResourceEventHandler } from "./informer/informer.ts";
export { InformerFactory } from "./informer/informer-factory.ts";
export { RateLimitingQueue } from "./work-queue/rate-limiting-queue.ts";
export { controllerRateLimiter } from "./work-queue/rate-limiting-queue.ts";
export {
  type ControllerSpec,
  done,
  type KeyQueue,
  type ReconcileResult,
  runController,
  TerminalError,
  type WatchSource,
  watching,
} from "./controller.ts";
export { ReadYourWrites } from "./read-your-writes.ts";

// Owners and the objects they control.
export { claimObjects } from "./ownership/claim-objects.ts";
export { enqueueObject, enqueueOwner } from "./ownership/enqueue-owner.ts";
export { ownerIndexOf } from "./ownership/owner-index.ts";

export { type Component, type ComponentEnvironment, controllerComponent } from "./component/component.ts";
export { runComponents } from "./component/component.ts";
export { runLeaderElection } from "./leader-election/run-leader-election.ts";

export { type EventDraft, type EventRecorder, referenceTo } from "./events/event-draft.ts";
export { eventRecorderFor } from "./events/event-recorder.ts";
export { type Metrics, silentMetrics } from "./metrics/metrics.ts";
export { prometheusMetrics } from "./metrics/prometheus-metrics.ts";
export { type Logger, silentLogger } from "./log/logger.ts";
export { pinoLogger } from "./log/pino-logger.ts";
