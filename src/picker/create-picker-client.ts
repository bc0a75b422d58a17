import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Client } from "../machinery/client/client.ts";
import { type Clock, networkClock } from "../machinery/clock/clock.ts";
import { ClientEventRecorder } from "../machinery/events/event-recorder.ts";
import type { Logger } from "../machinery/log/logger.ts";
import type { Metrics } from "../machinery/metrics/metrics.ts";
import type { Random } from "../machinery/random/random.ts";
import { CallLimiter } from "./call/call-limiter.ts";
import { PickerClient } from "./picker-client.ts";
import type { PickerConnector } from "./picker-connector.ts";
import { pickerMetrics } from "./picker-metrics.ts";

export interface CreatePickerClientOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly connector: PickerConnector;
  /** All ReplicaSets, to count the workloads with a picker. */
  readonly owners?: () => Iterable<ReplicaSet>;
  /** When it aborts, events that are not written yet are dropped. */
  readonly signal?: AbortSignal | undefined;
}

/** Wires a picker client together with its metrics, events and limits. */
export function createPickerClient(options: CreatePickerClientOptions): PickerClient {
  const { connector, owners } = options;
  const random = options.random.fork("pod-picker");
  const metrics = pickerMetrics(options.metrics);
  if (owners !== undefined) metrics.observeWorkloads(owners);
  // It is part of the ReplicaSet controller, so its events name that controller.
  const component = "replicaset-controller";
  const events = new ClientEventRecorder({ ...options, random: random.fork("events"), component });
  const limiter = new CallLimiter(connector.limits);
  const { onAttempt } = metrics;
  const clock = networkClock(options.clock); // a picker needs its seconds, however fast the cluster's time passes
  return new PickerClient({ ...options, ...connector, clock, random, events, metrics, limiter, onAttempt });
}
