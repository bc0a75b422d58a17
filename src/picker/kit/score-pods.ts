import type { Clock } from "../../machinery/clock/clock.ts";
import { checkedScore, type PickRequest, type PodChoice, type PodName } from "./pick-request.ts";

/** How busy a Pod is: the lowest are deleted first, and one of 0 or less is idle. */
export type Score = (pod: PodName, request: PickRequest) => number | Promise<number>;

export interface ScoreOptions {
  readonly clock: Clock;
  /** How many scores are waited for at a time. */
  readonly concurrency: number;
  /** Called for every score. */
  readonly onScored?: (() => void) | undefined;
}

/**
 * Scores candidates one after the other and stops as soon as enough idle ones are found (KEP-3189). The idle Pods are
 * counted in the order of names, so that the answer does not depend on which score arrives first.
 */
export function scorePods(request: PickRequest, score: Score, options: ScoreOptions): Promise<PodChoice> {
  const { candidates, requested } = request;
  if (requested >= candidates.length) return Promise.resolve({ chosen: candidates, tied: [] });
  const scoring = new Scoring(request, score, options);
  return new Promise((resolve, reject) => {
    const settle = () => resolve(scoring.choice());
    const workers = Array.from({ length: options.concurrency }, () => scoring.work(settle));
    // After an early end the others are not waited for: their requests are aborted with the signal.
    Promise.all(workers).then(settle, reject);
  });
}

class Scoring {
  readonly #request: PickRequest;
  readonly #score: Score;
  readonly #options: ScoreOptions;
  readonly #scores = new Map<PodName, number>();
  readonly #idle: PodName[] = [];
  #next = 0;
  /** All scores before this index are known. */
  #known = 0;

  constructor(request: PickRequest, score: Score, options: ScoreOptions) {
    this.#request = request;
    this.#score = score;
    this.#options = options;
  }

  /** Scores candidates until there are none left, or enough idle ones, when it calls `enough`. */
  async work(enough: () => void): Promise<void> {
    const { clock, onScored } = this.#options;
    const { candidates, signal } = this.#request;
    while (!this.#hasEnough() && !signal.aborted) {
      const pod = candidates[this.#next++];
      if (pod === undefined) return;
      const scored = this.#score(pod, this.#request);
      // A function that knows the score at once is not called for more Pods than necessary.
      this.#scores.set(pod, checkedScore(pod, isPromise(scored) ? await scored : scored));
      onScored?.();
      this.#advance(candidates);
      if (this.#hasEnough()) enough();
      const turn = clock.yieldToEventLoop?.();
      if (turn !== undefined) await turn;
    }
  }

  #hasEnough(): boolean {
    return this.#idle.length >= this.#request.requested;
  }

  #advance(candidates: readonly PodName[]): void {
    for (; !this.#hasEnough(); this.#known++) {
      const pod = candidates[this.#known];
      const score = pod === undefined ? undefined : this.#scores.get(pod);
      if (pod === undefined || score === undefined) return;
      if (score <= 0) this.#idle.push(pod);
    }
  }

  choice(): PodChoice {
    const { requested, lowest } = this.#request;
    if (this.#hasEnough()) return { chosen: this.#idle.slice(0, requested), tied: [] };
    return lowest((pod) => this.#scores.get(pod) ?? Infinity);
  }
}

function isPromise(value: number | Promise<number>): value is Promise<number> {
  return typeof value === "object" && value !== null && "then" in value;
}
