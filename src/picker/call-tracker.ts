import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Pod } from "../api/generated/core-v1.ts";
import { keyOf } from "../api/object.ts";
import type { Instant } from "../api/time.ts";
import type { KeyQueue } from "../machinery/controller.ts";
import type { Logger } from "../machinery/log/logger.ts";
import { callPicker, type CallDependencies, type PickerOutcome } from "./call-picker.ts";
import { answerTtlMs, newPickerCall, type PickerCall, type ScaleDown } from "./picker-call.ts";
import { permanentFailure } from "./picker-failure.ts";
import type { CompletedCall } from "./picker-outcome.ts";
import type { PickerSettings } from "./picker-settings.ts";

export interface CallTrackerOptions {
  readonly means: CallDependencies;
  readonly log: Logger;
  /** Hears of every call that has come to an end and that somebody waits for. */
  readonly ended: (key: string, consulted: CompletedCall) => void;
}

/** How a call is to be made, and by when it has to be over. */
export interface CallPlan {
  readonly settings: PickerSettings;
  readonly endsAt: Instant;
}

/**
 * The calls under way and the answers nobody has used yet, one per workload. A call runs by itself and wakes its
 * workload when it has ended; one that is dismissed ends unheard.
 */
export class CallTracker {
  readonly #options: CallTrackerOptions;
  readonly #episodes = new Map<string, PickerCall>();
  readonly #queues = new Set<KeyQueue>();

  constructor(options: CallTrackerOptions) {
    this.#options = options;
  }

  of({ metadata }: ReplicaSet): PickerCall | undefined {
    const call = this.#episodes.get(keyOf({ metadata }));
    return call?.uid === metadata.uid ? call : undefined; // else of another ReplicaSet that had the name
  }

  /** Whether there is a call or an answer under this key. */
  has(key: string): boolean {
    return this.#episodes.has(key);
  }

  begin(occasion: ScaleDown, { settings, endsAt }: CallPlan): void {
    const { owner, question, now } = occasion;
    const key = keyOf(owner);
    this.dismiss(key);
    const episode = newPickerCall(occasion, endsAt);
    this.#episodes.set(key, episode);
    const inquiry = {
      settings,
      question: { requested: question.requested, candidates: question.candidates.map(nameOf) },
      namespace: owner.metadata.namespace ?? "",
      leftMs: endsAt - now,
    };
    const { means, log } = this.#options;
    callPicker(inquiry, means, episode.abort.signal)
      .catch((error: unknown): PickerOutcome => {
        log.error("asking a pod picker failed", { key, error });
        return { kind: "failed", failure: permanentFailure("ConnectionFailed"), attempts: 0 };
      })
      .then((finding) =>
        this.#end(key, episode, { ...requestSize(episode), protocol: settings.protocol, finding }),
      )
      .catch((error: unknown) => log.error("a pod picker's answer was lost", { key, error }));
  }

  /** Whatever was asked for this workload is void. */
  dismiss(key: string): void {
    this.#episodes.get(key)?.abort.abort(new Error("the pod picker is no longer needed"));
    this.#episodes.delete(key);
  }

  start(queue: KeyQueue): () => void {
    this.#queues.add(queue);
    return () => {
      this.#queues.delete(queue);
      if (this.#queues.size === 0) for (const key of this.#episodes.keys()) this.dismiss(key);
    };
  }

  inFlight(): number {
    return [...this.#episodes.values()].filter(({ progress }) => progress.kind === "asking").length;
  }

  #end(key: string, episode: PickerCall, found: Omit<CompletedCall, "tookMs">): void {
    if (this.#episodes.get(key) !== episode) return;
    const now = this.#options.means.clock.now();
    const tookMs = now - episode.beganAt;
    const { finding } = found;
    this.#options.ended(key, { ...found, tookMs });
    const progress = { kind: "answered", finding, tookMs, expiresAt: now + answerTtlMs } as const;
    this.#episodes.set(key, { ...episode, progress });
    for (const queue of this.#queues) queue.add(key);
  }
}

function nameOf({ metadata }: Pod): string {
  return metadata.name;
}

/** What was asked in an episode, in numbers. */
export function requestSize({ circumstances }: PickerCall): Pick<CompletedCall, "requested" | "candidates"> {
  return { requested: circumstances.requested, candidates: circumstances.candidateUids.size };
}
