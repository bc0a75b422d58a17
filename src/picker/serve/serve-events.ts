import { deployments, replicaSets } from "../../api/resources.ts";
import type { Client } from "../../machinery/client/client.ts";
import { type Clock, elapsedMs } from "../../machinery/clock/clock.ts";
import { type EventRecorder, referenceTo } from "../../machinery/events/event-draft.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { PickerRule } from "./configuration/picker-rule.ts";
import type { PodScore } from "./evaluate-rule.ts";
import { countBy } from "./serve-metrics.ts";
import type { AskedWorkload } from "./workload-pods.ts";

export interface SourceEventsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly events: EventRecorder;
  /** Aborts when the program ends. */
  readonly signal: AbortSignal;
}

/** How often the same failure of the same workload is said again. */
const againMs = 300_000;
/** How many workloads are remembered. */
const mostRemembered = 1000;

/** Says on a workload, and in the log, that its source fails: once for each kind of failure in five minutes. */
export class SourceEvents {
  readonly #options: SourceEventsOptions;
  readonly #said = new Map<string, number>();

  constructor(options: SourceEventsOptions) {
    this.#options = options;
  }

  /** Says which Pods of an answer have no number because the source failed. */
  failed(rule: PickerRule, asked: AskedWorkload, scores: readonly PodScore[]): void {
    const failing = scores.filter(({ failure }) => failure !== undefined);
    if (failing.length === 0) return;
    const classes = [...countBy(failing, ({ failure }) => failure?.class ?? "")].map(
      ([name, count]) => `${name} (${count})`,
    );
    const detail = failing.find(({ failure }) => failure?.detail !== undefined)?.failure?.detail;
    const why = `${classes.join(", ")}${detail === undefined ? "" : `: ${detail}`}`;
    const what = `${failing.length} of ${scores.length} Pods have no number: ${why}.`;
    const key = `${rule.name} ${keyOf(asked)} ${[...new Set(classes.map(withoutCount))].sort().join()}`;
    this.#say(key, asked, {
      reason: "PodPickerSourceFailed",
      message: `The source of picker ${rule.name} failed; ${what} ${consequenceOf(rule)}`,
    });
  }

  /** Says that no rule of the configuration is for a workload whose picker is this server. */
  unknown(asked: AskedWorkload): void {
    this.#say(keyOf(asked), asked, {
      reason: "PodPickerNotConfigured",
      message: `No picker of the configuration is for ${asked.workload.kind}/${asked.workload.name}; the normal order decides.`,
    });
  }

  #say(
    key: string,
    asked: AskedWorkload,
    { reason, message }: { readonly reason: string; readonly message: string },
  ): void {
    const { clock, log } = this.#options;
    const now = elapsedMs(clock);
    const before = this.#said.get(key);
    if (before !== undefined && now - before < againMs) return;
    if (this.#said.size >= mostRemembered) this.#said.clear();
    this.#said.set(key, now);
    log.warn(message, { reason, workload: keyOf(asked) });
    void this.#record(asked, reason, message);
  }

  /** Reads the workload for its UID, by which `kubectl describe` finds its events. */
  async #record({ namespace, workload }: AskedWorkload, reason: string, message: string): Promise<void> {
    const { client, events, log, signal } = this.#options;
    const resource = { Deployment: deployments, ReplicaSet: replicaSets }[workload.kind];
    if (resource === undefined) return;
    try {
      const found =
        workload.kind === "Deployment"
          ? await client.get(deployments, { namespace, name: workload.name }, signal)
          : await client.get(replicaSets, { namespace, name: workload.name }, signal);
      events.record({ regarding: referenceTo(resource, found), type: "Warning", reason, message });
    } catch (error) {
      // An event must not fail an answer; the log has the message already.
      log.debug("no event: the workload cannot be read", { error });
    }
  }
}

function keyOf({ namespace, workload: { kind, name } }: AskedWorkload): string {
  return `${kind} ${namespace}/${name}`;
}

const withoutCount = (text: string) => text.replace(/ \(\d+\)$/, "");

function consequenceOf({ missing, protect, onError }: PickerRule): string {
  const counts =
    missing === Infinity ? "go after all others" : missing === -Infinity ? "go first" : `count as ${missing}`;
  if (protect === undefined) return `They ${counts}.`;
  return `They ${counts} and ${onError === "protect" ? "are protected" : "are not protected"}.`;
}
