// What a controller stands on: the published subpath `trimtab/machinery`.

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
  type Patch,
  type WatchEvent,
  type WatchQuery,
  type WriteOptions,
} from "./client/client.ts";

// What a client can be asked for; any other collection is described the same way.
export { type Resource } from "../api/resource.ts";
export * from "../api/resources.ts";

export { Informer, type InformerHandler, type InformerOptions } from "./informer.ts";
export { Informers } from "./informers.ts";
export { type IndexValues } from "./view/indexed-store.ts";
export { type Scope } from "./watch/run-list-watch.ts";

export {
  type ControllerDependencies,
  type ControllerSpec,
  done,
  type KeyQueue,
  type Outcome,
  runController,
  type Watched,
  watching,
} from "./controller.ts";
export { TerminalError } from "./terminal-error.ts";
export { Expectations } from "./expectations.ts";
export { type Owner, type Reader, type Unread, WrittenVersions } from "./written-versions.ts";

export { defaultTiming, type ElectionTiming } from "./leader-election/election.ts";
export { type ElectionOptions, whileLeading } from "./leader-election/while-leading.ts";
export {
  type HealthCheck,
  type Insights,
  type InsightsServer,
  serveInsights,
} from "./insights/serve-insights.ts";

export { type QueueGauges, type QueueMetrics } from "./work-queue/queue-metrics.ts";
export { RateLimitedQueue, type RateLimitedQueueOptions } from "./work-queue/rate-limited-queue.ts";
export {
  controllerRateLimiter,
  exponentialLimiter,
  type RateLimiter,
  slowestLimiter,
  tokenBucketLimiter,
} from "./work-queue/rate-limiter.ts";

export {
  type Connection,
  type ConnectionResult,
  type Credential,
  type TlsSettings,
} from "./client/connection.ts";
export { HttpsClient, type HttpsClientOptions } from "./client/https-client.ts";
export { inClusterConnection, type InClusterOptions } from "./client/in-cluster.ts";
export { kubeconfigPaths, type KubeconfigOptions, loadKubeconfig } from "./client/kubeconfig.ts";

export { type EventNote, type EventRecorder, referenceTo } from "./events/event-note.ts";
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

export { type Fields, type Logger, type LogLevel, silentLogger } from "./log.ts";
export { pinoLogger, type PinoLoggerOptions } from "./pino-logger.ts";
