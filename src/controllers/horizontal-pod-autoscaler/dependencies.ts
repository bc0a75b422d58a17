import type { HorizontalPodAutoscaler } from "../../api/generated/autoscaling-v2.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import type { MetricsSource } from "../../decisions/autoscaling/metric-proposal.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { EventRecorder } from "../../machinery/events/event-draft.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import type { Logger } from "../../machinery/log/logger.ts";

/** What the metrics of one autoscaler are asked by. */
export interface MetricsQuery {
  readonly autoscaler: HorizontalPodAutoscaler;
  readonly pods: readonly Pod[];
  /** The object that an Object metric describes, if it exists. */
  readonly described: (kind: string, name: string) => StoredObject | undefined;
  readonly now: Instant;
}

/** What the controller of HorizontalPodAutoscalers depends on. */
export interface AutoscalerDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly autoscalers: Informer<HorizontalPodAutoscaler>;
  readonly pods: Informer<Pod>;
  /** Its source is `horizontal-pod-autoscaler`. */
  readonly events: EventRecorder;
  readonly metrics: (query: MetricsQuery) => MetricsSource;
}
