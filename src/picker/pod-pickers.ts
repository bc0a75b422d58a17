import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import { ClientEventRecorder } from "../machinery/events/event-recorder.ts";
import type { Logger } from "../machinery/log.ts";
import type { Metrics } from "../machinery/metrics/metrics.ts";
import type { Random } from "../machinery/random/random.ts";
import { PickerConsultations } from "./picker-consultations.ts";
import { pickerMetrics } from "./picker-metrics.ts";
import type { Reach } from "./reach.ts";
import { Slots, type SlotLimits } from "./slots.ts";

export interface PodPickersOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly reach: Reach;
  /** All ReplicaSets, to count those that have a picker. */
  readonly owners?: () => Iterable<ReplicaSet>;
  readonly limits?: SlotLimits;
  /** When it aborts, notes for people that are not written yet are given up. */
  readonly ending?: AbortSignal | undefined;
}

/** Everything it takes to ask pod pickers, put together. */
export function podPickers(options: PodPickersOptions): PickerConsultations {
  const { reach, limits, owners } = options;
  const random = options.random.fork("pod-picker");
  const metrics = pickerMetrics(options.metrics);
  if (owners !== undefined) metrics.followWorkloads(owners);
  // Its events are the ReplicaSet controller's, in whose name it works.
  const component = "replicaset-controller";
  const events = new ClientEventRecorder({ ...options, random: random.fork("events"), component });
  const slots = new Slots(limits);
  const { attempted } = metrics;
  return new PickerConsultations({ ...options, ...reach, random, events, metrics, slots, attempted });
}
