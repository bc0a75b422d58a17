import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { keyOf } from "../../api/object.ts";
import { pods as podResource } from "../../api/resources.ts";
import { isUidMismatch, isNotFound } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { EventRecorder } from "../../machinery/events/event-draft.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import { failedSchedulingEvent, type SchedulingFailure } from "./schedule-result.ts";
import { conditionPatch } from "./pod-scheduled-condition.ts";

export interface ReportDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Reports why Pods have no node: an event for each attempt, and the PodScheduled condition when it changes. */
export class FailureReports {
  readonly #deps: ReportDependencies;
  /** Patches in progress, by UID. */
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

  /** Resolves when no patch of a Pod is in progress: after the binding it would overwrite the condition. */
  async settled(uid: string): Promise<void> {
    await this.#writing.get(uid);
  }

  /** Resolves when no patch is in progress. */
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
      // The Pod was deleted, or replaced by another of its name: there is no status to write.
      if (isNotFound(error) || isUidMismatch(error)) return;
      log.warn("could not write why a Pod has no node", { pod: keyOf(pod), error });
    }
  }
}
