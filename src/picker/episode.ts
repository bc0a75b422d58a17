import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { PickerQuestion } from "../decisions/downscale/picker-question.ts";
import type { Instant } from "../api/time.ts";
import type { Finding } from "./consult.ts";

/** What a picker is asked for a workload at one moment. */
export interface Occasion {
  readonly owner: ReplicaSet;
  /** The picker as it is written down. */
  readonly picker: unknown;
  readonly question: Extract<PickerQuestion, { readonly kind: "Ask" }>;
  readonly now: Instant;
}

/** What the circumstances of a call were: an answer is good for these, not for others. */
export interface Circumstances {
  readonly generation: number | undefined;
  readonly picker: string;
  readonly requested: number;
  readonly candidateUids: ReadonlySet<string>;
}

/** How far a call has come. */
export type Progress =
  | { readonly kind: "asking" }
  | {
      readonly kind: "answered";
      readonly finding: Finding;
      readonly tookMs: number;
      readonly expiresAt: Instant;
    };

/**
 * The asking for one scale-down, from the first call until Pods are chosen. Calls that are begun again share its time:
 * a workload that keeps changing gets no more of it.
 */
export interface Episode {
  readonly uid: string;
  /** When the call was made; others may have been before. */
  readonly beganAt: Instant;
  readonly endsAt: Instant;
  readonly circumstances: Circumstances;
  readonly progress: Progress;
  readonly abort: AbortController;
}

/** How long an answer may wait for somebody to use it. */
export const answerKeepsMs = 30_000;

/** Begins to ask. */
export function beginEpisode(occasion: Occasion, endsAt: Instant): Episode {
  return {
    uid: occasion.owner.metadata.uid,
    beganAt: occasion.now,
    endsAt,
    circumstances: circumstancesOf(occasion),
    progress: { kind: "asking" },
    abort: new AbortController(),
  };
}

function circumstancesOf({ owner, picker, question }: Occasion): Circumstances {
  return {
    generation: owner.metadata.generation,
    picker: JSON.stringify(picker),
    requested: question.requested,
    candidateUids: new Set(question.candidates.map(({ metadata }) => metadata.uid)),
  };
}

/** What to do about an episode on an occasion. */
export type Step =
  | { readonly kind: "wait" }
  | { readonly kind: "use"; readonly answer: Extract<Progress, { readonly kind: "answered" }> }
  | { readonly kind: "ask again" };

/** Whether a call, or its answer, still fits. A failure fits whatever has changed: asking again would only delay. */
export function step({ circumstances, progress }: Episode, occasion: Occasion): Step {
  const fits = stillFits(circumstances, circumstancesOf(occasion));
  switch (progress.kind) {
    case "asking":
      return fits ? { kind: "wait" } : { kind: "ask again" };
    case "answered":
      return occasion.now < progress.expiresAt && (fits || !isRanked(progress.finding))
        ? { kind: "use", answer: progress }
        : { kind: "ask again" };
  }
}

function isRanked(finding: Finding): boolean {
  return finding.kind === "answered" && finding.answer.kind === "Ranked";
}

function stillFits(then: Circumstances, now: Circumstances): boolean {
  return (
    then.generation === now.generation &&
    then.picker === now.picker &&
    now.requested <= then.requested &&
    [...now.candidateUids].every((uid) => then.candidateUids.has(uid))
  );
}
