/** What a work queue measures, in Kubernetes' `workqueue_*` terms. */
export interface QueueMetrics {
  /** `adds_total`: a key was added that was not waiting already. */
  added(): void;
  /** `retries_total`: a key was added with a delay. */
  retried(): void;
  /** `queue_duration_seconds`: how long a key waited for a worker. */
  waited(durationMs: number): void;
  /** `work_duration_seconds`: how long it was processed. */
  worked(durationMs: number): void;
  /** Called once by the queue: where the gauges are read when metrics are collected. */
  observe(gauges: QueueGauges): void;
}

/** What can be read from a work queue at any moment. */
export interface QueueGauges {
  /** `depth`: keys waiting for a worker. */
  depth(): number;
  /** `unfinished_work_seconds`: time spent so far on all keys that are being processed. */
  unfinishedMs(): number;
  /** `longest_running_processor_seconds`. */
  longestRunningMs(): number;
}

const nothing = () => undefined;

/** Measures nothing. */
export const noQueueMetrics: QueueMetrics = {
  added: nothing,
  retried: nothing,
  waited: nothing,
  worked: nothing,
  observe: nothing,
};
