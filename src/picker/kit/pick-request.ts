declare const candidate: unique symbol;

/**
 * The name of a Pod that was asked about. It is a string that only a request gives out, so that a name which is not a
 * candidate does not compile as an answer.
 */
export type PodName = string & { readonly [candidate]: true };

/** A choice: chosen Pods are deleted first, tied Pods next, the others last, and protected ones not now. */
export interface PodChoice {
  readonly chosen: readonly PodName[];
  /** Equally good: the normal order decides among them. */
  readonly tied?: readonly PodName[];
  /**
   * Pods that may not be deleted now, whatever the other lists say. The scale-down waits for them up to the workload's limit
   * and asks again; only controllers with the feature gate PodRemovalProtection do that.
   */
  readonly protected?: readonly PodName[];
}

/** What a scale-down asks of a picker. */
export interface PickRequest {
  /** How many of the candidates will be deleted; may be all of them, which a picker that protects Pods can prevent. */
  readonly requested: number;
  /** By name. */
  readonly candidates: readonly PodName[];
  /** The namespace of the Pods; absent if the caller does not say it. */
  readonly namespace?: string | undefined;
  /** The workload that is scaled down, such as `{ kind: "Deployment", name: "web" }`. */
  readonly workload?: { readonly kind: string; readonly name: string } | undefined;
  /** Aborts when an answer is no longer needed: at the time limit, or when the caller has gone. */
  readonly signal: AbortSignal;
  /** The candidates among these names: for names that come from a database. */
  readonly only: (names: Iterable<string>) => readonly PodName[];
  /** Chooses the Pods with the lowest scores and ties those with equal scores at the cut. */
  readonly lowest: (score: (pod: PodName) => number) => PodChoice;
}

/** A question as it arrives, in either protocol. */
export interface PickQuestion {
  readonly requested: number;
  readonly candidates: readonly string[];
  readonly namespace?: string | undefined;
  readonly workload?: PickRequest["workload"];
}

/** A request about each candidate once, in the order of names: the contract gives the order no meaning. */
export function pickRequest(question: PickQuestion, signal: AbortSignal): PickRequest {
  const candidates = [...new Set(question.candidates)].sort() as PodName[];
  const { requested, namespace, workload } = question;
  return {
    requested,
    candidates,
    namespace,
    workload,
    signal,
    only(names) {
      const wanted = new Set(names);
      return candidates.filter((pod) => wanted.has(pod));
    },
    lowest: (score) => lowestOf(candidates, requested, score),
  };
}

function lowestOf(
  candidates: readonly PodName[],
  requested: number,
  score: (pod: PodName) => number,
): PodChoice {
  const scores = new Map(candidates.map((pod) => [pod, checkedScore(pod, score(pod))]));
  const ascending = [...scores.values()].sort((one, other) => one - other);
  const cut = ascending[requested - 1] ?? Infinity;
  const those = (keep: (score: number) => boolean) =>
    candidates.filter((pod) => keep(scores.get(pod) ?? Infinity));
  // A tie exists only if a Pod beyond the cut has the same score.
  const isTie = requested < ascending.length && ascending[requested] === cut;
  return isTie
    ? { chosen: those((score) => score < cut), tied: those((score) => score === cut) }
    : { chosen: those((score) => score <= cut), tied: [] };
}

/** A score that can be compared; throws otherwise, because a wrong order is worse than the normal one. */
export function checkedScore(pod: string, score: unknown): number {
  if (typeof score === "number" && !Number.isNaN(score)) return score;
  throw new TypeError(`the score of ${pod} is ${describe(score)}, not a number`);
}

function describe(value: unknown): string {
  return value === null || typeof value !== "object" ? String(value) : "an object";
}
