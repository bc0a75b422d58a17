import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Pod } from "../api/generated/core-v1.ts";
import type { JsonObject } from "../api/json.ts";
import { keyOf } from "../api/object.ts";
import type { Instant } from "../api/time.ts";
import { downscalePodPickerOf } from "../api/workload-settings.ts";
import type { Facts, Picks } from "../decisions/downscale/facts.ts";
import { pickerQuestion } from "../decisions/downscale/picker-question.ts";
import type { KeyQueue } from "../machinery/controller.ts";
import type { EventRecorder } from "../machinery/events/event-note.ts";
import type { Logger } from "../machinery/log.ts";
import { consult, type ConsultMeans, type Finding } from "./consult.ts";
import { answerKeepsMs, beginEpisode, type Episode, type Occasion, step } from "./episode.ts";
import { lasting, type PickerFailure } from "./picker-failure.ts";
import type { PickerMetrics } from "./picker-metrics.ts";
import { noteConflict, noteFinding, overrulesPicker } from "./picker-notes.ts";
import { type Consulted, outcomeRecord } from "./picker-outcome.ts";
import { type PickerSettings, readPickerSettings } from "./picker-settings.ts";

export interface ConsultationsOptions extends ConsultMeans {
  readonly events: EventRecorder;
  readonly metrics: PickerMetrics;
  readonly log: Logger;
}

/** How a call is to be made, and by when it has to be over. */
interface Plan {
  readonly settings: PickerSettings;
  readonly endsAt: Instant;
}

interface Answered extends Pick<Consulted, "protocol" | "finding"> {
  readonly askedAt: Instant;
}

/** Why there will be no call. */
interface Shortfall {
  readonly failure: PickerFailure;
  readonly settings?: PickerSettings;
}

/** What a picker is to help with: some of these Pods have to go. */
export interface Dilemma {
  readonly pods: readonly Pod[];
  readonly count: number;
  readonly facts: Facts;
}

/** How far the asking has come; see the port of the ReplicaSet controller, which this fits. */
export type Consultation =
  | { readonly kind: "none" }
  | { readonly kind: "pending" }
  | { readonly kind: "settled"; readonly outcome: JsonObject; readonly picks?: Picks };

/**
 * Asks pod pickers for the ReplicaSet controller without ever keeping it waiting: a call runs by itself, wakes the
 * ReplicaSet when it has ended, and its answer is good for one decision. Nothing of it outlives the process.
 */
export class PickerConsultations {
  readonly #options: ConsultationsOptions;
  readonly #episodes = new Map<string, Episode>();
  readonly #queues = new Set<KeyQueue>();

  constructor(options: ConsultationsOptions) {
    this.#options = options;
    options.metrics.followInFlight(() => this.inFlight());
  }

  on(owner: ReplicaSet, { pods, count, facts }: Dilemma): Consultation {
    const key = keyOf(owner);
    const picker = facts.gates.DownscalePodPicker ? downscalePodPickerOf(owner) : undefined;
    if (picker === undefined) return this.#none(key);
    const question = pickerQuestion(pods, count, facts);
    const isNew = this.#episodeOf(owner) === undefined;
    if (isNew && overrulesPicker(pods, facts.gates)) noteConflict(owner, this.#options.events);
    if (question.kind === "NotNeeded") return this.#none(key);
    return this.#proceed(key, { owner, picker, question, now: this.#options.clock.now() });
  }

  /** Whatever was asked for this workload is void. */
  dismiss(key: string): void {
    this.#episodes.get(key)?.abort.abort(new Error("the pod picker is no longer needed"));
    this.#episodes.delete(key);
  }

  /** There is nothing to be read before anybody can be asked. */
  synced(): Promise<boolean> {
    return Promise.resolve(true);
  }

  feed(queue: KeyQueue): () => void {
    this.#queues.add(queue);
    return () => {
      this.#queues.delete(queue);
      if (this.#queues.size === 0) for (const key of this.#episodes.keys()) this.dismiss(key);
    };
  }

  inFlight(): number {
    return [...this.#episodes.values()].filter(({ progress }) => progress.kind === "asking").length;
  }

  #none(key: string): Consultation {
    this.dismiss(key);
    return { kind: "none" };
  }

  #episodeOf({ metadata }: ReplicaSet): Episode | undefined {
    const key = keyOf({ metadata });
    const episode = this.#episodes.get(key);
    if (episode === undefined || episode.uid === metadata.uid) return episode;
    this.dismiss(key); // of another ReplicaSet that had the name
    return undefined;
  }

  #proceed(key: string, occasion: Occasion): Consultation {
    const settings = readPickerSettings(occasion.picker);
    if (settings === undefined) return this.#fail(key, occasion, { failure: lasting("InvalidConfig") });
    const episode = this.#episodeOf(occasion.owner);
    if (episode === undefined) {
      const endsAt = occasion.now + settings.timeoutMs;
      return this.#ask(key, occasion, { settings, endsAt });
    }
    const next = step(episode, occasion);
    switch (next.kind) {
      case "wait":
        return { kind: "pending" };
      case "use":
        return this.#settle(key, occasion.owner, {
          ...next.answer,
          ...askedIn(episode),
          protocol: settings.protocol,
        });
      case "ask again":
        this.dismiss(key);
        return occasion.now < episode.endsAt
          ? this.#ask(key, occasion, { settings, endsAt: episode.endsAt })
          : this.#fail(key, occasion, { failure: lasting("Timeout"), settings });
    }
  }

  #ask(key: string, occasion: Occasion, { settings, endsAt }: Plan): Consultation {
    const { owner, question, now } = occasion;
    const { protocol } = settings;
    const episode = beginEpisode(occasion, endsAt);
    this.#episodes.set(key, episode);
    const inquiry = {
      settings,
      question: { requested: question.requested, candidates: question.candidates.map(nameOf) },
      namespace: owner.metadata.namespace ?? "",
      leftMs: endsAt - now,
    };
    consult(inquiry, this.#options, episode.abort.signal)
      .catch((error: unknown): Finding => {
        this.#options.log.error("asking a pod picker failed", { key, error });
        return { kind: "failed", failure: lasting("ConnectionFailed"), attempts: 0 };
      })
      .then((finding) => this.#answered(key, episode, { protocol, finding, askedAt: now }))
      .catch((error: unknown) => this.#options.log.error("a pod picker's answer was lost", { key, error }));
    return { kind: "pending" };
  }

  #answered(key: string, episode: Episode, { askedAt, ...found }: Answered): void {
    if (this.#episodes.get(key) !== episode) return;
    const now = this.#options.clock.now();
    const tookMs = now - askedAt;
    this.#count(key, { ...askedIn(episode), ...found, tookMs });
    const { finding } = found;
    const progress = { kind: "answered", finding, tookMs, expiresAt: now + answerKeepsMs } as const;
    this.#episodes.set(key, { ...episode, progress });
    for (const queue of this.#queues) queue.add(key);
  }

  /** The end without a call: for want of time, or of settings that make sense. */
  #fail(key: string, { owner, question }: Occasion, { failure, settings }: Shortfall): Consultation {
    const { requested, candidates } = question;
    const consulted: Consulted = {
      protocol: settings?.protocol ?? "none",
      finding: { kind: "failed", failure, attempts: 0 },
      requested,
      candidates: candidates.length,
      tookMs: 0,
    };
    this.#count(key, consulted);
    return this.#settle(key, owner, consulted);
  }

  #settle(key: string, owner: ReplicaSet, consulted: Consulted): Consultation {
    this.dismiss(key); // an answer is used once
    const { finding } = consulted;
    noteFinding(owner, finding, this.#options.events);
    const outcome = outcomeRecord(consulted);
    if (finding.kind === "failed" || finding.answer.kind !== "Ranked") return { kind: "settled", outcome };
    const { chosen, tied } = finding.answer;
    return { kind: "settled", outcome, picks: { chosen, tied } };
  }

  #count(key: string, consulted: Consulted): void {
    this.#options.metrics.consulted(consulted);
    this.#options.log.debug("pod picker consulted", { key, ...outcomeRecord(consulted) });
  }
}

function nameOf({ metadata }: Pod): string {
  return metadata.name;
}

function askedIn({ circumstances }: Episode): Pick<Consulted, "requested" | "candidates"> {
  return { requested: circumstances.requested, candidates: circumstances.candidateUids.size };
}
