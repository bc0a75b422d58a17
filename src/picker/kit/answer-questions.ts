import { Deadline } from "../../machinery/client/http/deadline.ts";
import { type Clock, elapsedMs } from "../../machinery/clock/clock.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { Protocol } from "../picker-settings.ts";
import { unlessAborted } from "../call/unless-aborted.ts";
import type { KitMetrics, RefusalReason } from "./kit-metrics.ts";
import { type PickQuestion, type PickRequest, pickRequest, type PodChoice } from "./pick-request.ts";
import type { PickFunction } from "./picker-options.ts";

/** A refusal as callers see it: the sentence names no exception, which is for the log. */
export interface Refused {
  readonly kind: "refused";
  readonly refusal: RefusalReason;
  readonly message: string;
}

/** The answer to a question: names of candidates, each once. */
export interface Answered {
  readonly kind: "answered";
  readonly chosen: readonly string[];
  readonly tied: readonly string[];
  /** Absent: none. */
  readonly protects?: readonly string[];
}

export type PickAnswer = Answered | Refused;

/** Reads a question that is still arriving. */
export type ReadQuestion = () => Promise<
  { readonly kind: "question"; readonly question: PickQuestion } | Refused
>;

export interface QuestionContext {
  readonly protocol: Protocol;
  /** How long the caller waits, if it says so. */
  readonly leftMs?: number | undefined;
  /** Aborts when the caller has gone. */
  readonly signal?: AbortSignal | undefined;
}

export interface AnswerDependencies {
  readonly pick: PickFunction;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: () => KitMetrics;
  readonly timeoutMs: number;
  readonly maxRequests: number;
}

export function refused(refusal: RefusalReason, message: string): Refused {
  return { kind: "refused", refusal, message };
}

/** Refuses a question this long before the caller's deadline, so that the refusal still arrives in time. */
const marginMs = 50;

/** Answers questions within the time limit, whatever the handler does. */
export class Answering {
  readonly #dependencies: AnswerDependencies;
  #inFlight = 0;
  #isStopping = false;
  #idle: (() => void)[] = [];

  constructor(dependencies: AnswerDependencies) {
    this.#dependencies = dependencies;
  }

  inFlight(): number {
    return this.#inFlight;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Accepts no more questions; resolves when those in flight are answered. */
  stop(): Promise<void> {
    this.#isStopping = true;
    return this.#inFlight === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Refuses a caller before its question is read. */
  refuseCaller(protocol: Protocol): Refused {
    this.#dependencies.metrics().ended(protocol, "unauthenticated", 0);
    return refused("unauthenticated", "the caller is not known");
  }

  /** Never rejects. */
  async answer(read: ReadQuestion, context: QuestionContext): Promise<PickAnswer> {
    const { clock, maxRequests, metrics } = this.#dependencies;
    const from = elapsedMs(clock);
    const end = (answer: PickAnswer) => {
      const result = answer.kind === "answered" ? "answered" : answer.refusal;
      metrics().ended(context.protocol, result, elapsedMs(clock) - from);
      return answer;
    };
    if (this.#isStopping) return end(refused("stopping", "the picker is stopping"));
    if (this.#inFlight >= maxRequests) return end(refused("busy", "the picker has too many questions"));
    this.#inFlight += 1;
    try {
      return end(await this.#withinLimit(read, context));
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  async #withinLimit(
    read: ReadQuestion,
    { leftMs = Infinity, signal }: QuestionContext,
  ): Promise<PickAnswer> {
    const { clock, log } = this.#dependencies;
    const timeoutMs = Math.max(1, Math.min(this.#dependencies.timeoutMs, leftMs - marginMs));
    const deadline = new Deadline({ clock, timeoutMs, parent: signal, missed: "no answer" });
    const isCancelled = () => signal?.aborted === true;
    const finished = new AbortController();
    try {
      const asked = await unlessAborted(read(), deadline.signal);
      if (asked === undefined)
        return refused(isCancelled() ? "cancelled" : "late_question", "the question did not arrive in time");
      if (asked.kind === "refused") return asked;
      const { question } = asked;
      const fields = describe(question);
      const request = pickRequest(question, AbortSignal.any([deadline.signal, finished.signal]));
      try {
        const picked = await unlessAborted(this.#pick(request), deadline.signal);
        if (picked !== undefined) return checkedChoice(picked.choice, question, log);
        if (isCancelled()) return refused("cancelled", "the caller has gone");
        log.error("picker overran its time limit", { ...fields, timeoutMs });
        return refused("overran", `the picker had no answer within ${timeoutMs} ms`);
      } catch (error) {
        // The boundary to the author's handler: whatever it throws is logged and becomes an answer.
        log.error("picker failed", { ...fields, error });
        return refused("failed", "the picker failed; its log says why");
      }
    } finally {
      deadline.release();
      finished.abort();
    }
  }

  /** A handler of an untyped program may return nothing, which is not the same as no answer in time. */
  async #pick(request: PickRequest): Promise<{ readonly choice: PodChoice }> {
    return { choice: await this.#dependencies.pick(request) };
  }
}

function describe({ requested, candidates, namespace, workload }: PickQuestion) {
  return {
    requested,
    candidates: candidates.length,
    namespace,
    workload: workload === undefined ? undefined : `${workload.kind}/${workload.name}`,
  };
}

/** The choice without names that are no candidates; throws if it is not a choice at all, as untyped programs may return. */
function checkedChoice(choice: PodChoice, question: PickQuestion, log: Logger): Answered {
  const { chosen, tied, protects } = namesOf(choice);
  const known = new Set(question.candidates);
  const unknown = [...new Set([...chosen, ...tied, ...protects])].filter((name) => !known.has(name));
  if (unknown.length > 0)
    log.warn("picker named Pods that are no candidates", {
      ...describe(question),
      names: unknown.slice(0, 5),
    });
  const kept = new Set(protects.filter((name) => known.has(name)));
  const first = new Set(chosen.filter((name) => known.has(name)));
  const next = new Set(tied.filter((name) => known.has(name) && !first.has(name)));
  // Protected Pods keep their place in the order: it counts where protection does not, and when its limit has come.
  const answer = { kind: "answered", chosen: [...first], tied: [...next] } as const;
  return kept.size === 0 ? answer : { ...answer, protects: [...kept] };
}

interface NamedPods {
  readonly chosen: readonly string[];
  readonly tied: readonly string[];
  readonly protects: readonly string[];
}

function namesOf(choice: unknown): NamedPods {
  const isObject = typeof choice === "object" && choice !== null;
  const lists = (isObject ? choice : {}) as Readonly<Record<string, unknown>>;
  const { chosen, tied = [], protected: protects = [] } = lists;
  if (areNames(chosen) && areNames(tied) && areNames(protects)) return { chosen, tied, protects };
  throw new TypeError("pick must return { chosen, tied, protected }, lists of the names of Pods");
}

function areNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}
