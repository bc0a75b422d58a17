import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { keyOf } from "../../api/object.ts";
import { pods as podResource } from "../../api/resources.ts";
import { isUidMismatch, isNotFound } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { EventRecorder } from "../../machinery/events/event-draft.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import { failedSchedulingEvent } from "./pod-events.ts";
import { conditionPatch } from "./pod-scheduled-condition.ts";
import type { SchedulingFailure } from "./schedule-result.ts";

export interface ReportDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Tells people why Pods have no node: an event each time, and the condition when it changes. */
export class FailureReports {
  readonly #deps: ReportDependencies;
  /** Patches on their way, by UID. */
  readonly #writing = new Map<string, Promise<void>>();

  constructor(deps: ReportDependencies) {
    this.#deps = deps;
  }

  report(pod: Pod, failure: SchedulingFailure, events: EventRecorder): void {
    events.record(failedSchedulingEvent(pod, failure.message));
    const body = conditionPatch(pod, failure, this.#deps.clock.now());
    if (body === undefined) return;
    const { uid } = pod.metadata;
    const written = this.#writeAfter(this.settled(uid), pod, body).finally(() => {
      if (this.#writing.get(uid) === written) this.#writing.delete(uid);
    });
    this.#writing.set(uid, written);
  }

  /** Resolves when nothing is being written about a Pod: a no that arrived after its binding would undo it. */
  async settled(uid: string): Promise<void> {
    await this.#writing.get(uid);
  }

  /** Resolves when nothing is being written at all. */
  async idle(): Promise<void> {
    await Promise.all(this.#writing.values());
  }

  async #writeAfter(earlier: Promise<void>, pod: Pod, body: JsonObject): Promise<void> {
    const { client, log } = this.#deps;
    await earlier;
    try {
      const { namespace, name } = pod.metadata;
      await client.patch(
        podResource,
        { namespace, name },
        { type: "strategic", body, subresource: "status" },
      );
    } catch (error) {
      // The Pod is gone, or another one now: nobody has to be told.
      if (isNotFound(error) || isUidMismatch(error)) return;
      log.warn("could not write why a Pod has no node", { pod: keyOf(pod), error });
    }
  }
}
