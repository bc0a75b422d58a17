// What controllers are built from: the published subpath `trimtab/machinery`.

export { type Clock, type Timer } from "./clock/clock.ts";
export { VirtualClock } from "./clock/virtual-clock.ts";
export { WallClock } from "./clock/wall-clock.ts";
export { type Random, randomInt, seededRandom } from "./random/random.ts";
export { systemRandom } from "./random/system-random.ts";

export {
  ApiError,
  hasCause,
  isAlreadyExists,
  isConflict,
  isGone,
  isInvalid,
  isNotFound,
} from "./client/api-error.ts";
export {
  type Client,
  type DeleteOptions,
  type ListQuery,
  type ListResult,
  type ObjectName,
  type ObjectWriteOptions,
  type Patch,
  type WatchEvent,
  type WatchQuery,
  type WriteOptions,
} from "./client/client.ts";

// The collections of the API; any other is described by a `Resource` as well.
export { type Resource } from "../api/resource.ts";
export * from "../api/resources.ts";

export { Informer, type ResourceEventHandler, type InformerOptions } from "./informer/informer.ts";
export { InformerFactory } from "./informer/informer-factory.ts";
export { type IndexFunction } from "./informer/indexer.ts";
export { type Scope } from "./watch/run-list-watch.ts";

export {
  type ControllerDependencies,
  type ControllerSpec,
  done,
  type KeyQueue,
  type ReconcileResult,
  runController,
  TerminalError,
  type WatchSource,
  watching,
} from "./controller.ts";
export { Expectations } from "./expectations.ts";
// Owners and the objects they control.
export { claimObjects, type ClaimContext } from "./ownership/claim-objects.ts";
export { enqueueObject, enqueueOwner, type OwnerCallbacks } from "./ownership/enqueue-owner.ts";
export { type OwnerIndex, ownerIndexOf, type OwnerIndexOptions } from "./ownership/owner-index.ts";
export { workloadSelection } from "../api/labels/workload-selection.ts";
export {
  type ReconciledObject,
  type VersionedView,
  type UnreadWrite,
  ReadYourWrites,
} from "./read-your-writes.ts";

export { type Component, type ComponentEnvironment, controllerComponent } from "./component/component.ts";
export { runComponents, type RunComponentsOptions } from "./component/run-components.ts";
export { defaultTiming, type ElectionTiming } from "./leader-election/election.ts";
export { type ElectionOptions, runLeaderElection } from "./leader-election/run-leader-election.ts";
export type { DebugEndpoint, Diagnostics, HealthCheck } from "./diagnostics/diagnostics.ts";
export { type DiagnosticsServer, serveDiagnostics } from "./diagnostics/serve-diagnostics.ts";

export { type QueueGauges, type QueueMetrics } from "./work-queue/queue-metrics.ts";
export { RateLimitingQueue, type RateLimitingQueueOptions } from "./work-queue/rate-limiting-queue.ts";
export {
  controllerRateLimiter,
  exponentialLimiter,
  type RateLimiter,
  maxOfLimiters,
  tokenBucketLimiter,
} from "./work-queue/rate-limiter.ts";

export {
  type Connection,
  type ConnectionResult,
  type Credential,
  type TlsSettings,
} from "./client/connection/connection.ts";
export { HttpsClient, type HttpsClientOptions } from "./client/http/https-client.ts";
export { inClusterConnection, type InClusterOptions } from "./client/connection/in-cluster.ts";
export { kubeconfigPaths, type KubeconfigOptions, loadKubeconfig } from "./client/connection/kubeconfig.ts";

export { type EventDraft, type EventRecorder, referenceTo } from "./events/event-draft.ts";
export { ClientEventRecorder, type EventRecorderOptions } from "./events/event-recorder.ts";

export {
  type Counter,
  type Gauge,
  type Histogram,
  type HistogramSpec,
  type Labels,
  type Metrics,
  type MetricSpec,
  type Sample,
  silentMetrics,
} from "./metrics/metrics.ts";
export { type PrometheusMetrics, prometheusMetrics } from "./metrics/prometheus-metrics.ts";
export { workqueueMetrics } from "./metrics/workqueue-metrics.ts";

export { type Fields, type Logger, type LogLevel, silentLogger } from "./log/logger.ts";
export { pinoLogger, type PinoLoggerOptions } from "./log/pino-logger.ts";
