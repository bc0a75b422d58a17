import type { Instant } from "../../api/time.ts";
import type { CallFailure, PickerOutcome, PickerProtocol } from "./picker-outcome.ts";

/** The pod picker of a ReplicaSet as it is when a state is gathered: plans are functions of it. */
export interface PickerState {
  /** For the status. */
  readonly health: PickerHealth;
  /** Whether there is a call or an unused answer, be it of an earlier ReplicaSet of the same name. */
  readonly isAsked: boolean;
  /** Absent: the ReplicaSet has no picker, or the feature gate is off. */
  readonly picker?: KnownPicker;
}

/** The health of a workload's pod picker. */
export type PickerHealth =
  /** There is no picker, or none is called. */
  | { readonly kind: "none" }
  /** This process has not called it: the reported condition stays. */
  | { readonly kind: "unknown" }
  | { readonly kind: "healthy" }
  /** The last call had no answer, or no call can be made. */
  | { readonly kind: "failing"; readonly reason: string; readonly message: string };

/** A picker that has a say in the removals of a ReplicaSet. */
export interface KnownPicker {
  /** As stored in the object: an answer holds only for the picker that gave it. */
  readonly json: string;
  readonly protocol: PickerProtocol;
  /** How long a call may take. */
  readonly timeoutMs: number;
  /** Why it is not called: its settings cannot be read, or it keeps failing. Absent: it may be called. */
  readonly refusal?: CallFailure | undefined;
  /** The last question and what came of it; absent once that was used. */
  readonly call?: AskedPicker | undefined;
  /** The answer that holds a removal back; absent when none does. */
  readonly standing?: StandingAnswer | undefined;
  /** On the clock that times calls; the time of the cluster may pass faster. */
  readonly now: Instant;
}

/**
 * The call for one scale-down, until its outcome is used. When the size falls further, the call goes on; when it rises,
 * or the picker or its candidates change, another call replaces it and inherits its deadline, so that a workload that
 * keeps changing is not delayed for longer than its timeout.
 */
export interface AskedPicker {
  readonly question: AskedQuestion;
  readonly deadlineAt: Instant;
  readonly state: CallState;
}

/** An answer whose protected Pods hold a removal back: it counts until the picker is asked again. */
export interface StandingAnswer {
  readonly question: AskedQuestion;
  /** The names of the Pods that may not go. */
  readonly protects: ReadonlySet<string>;
  /** How long the picker is not asked; the next pause is longer. */
  readonly pauseMs: number;
  /** On the clock of the cluster. */
  readonly askAgainAt: Instant;
}

/** What a picker is asked, and for which scale-down. The answer applies only while these still hold. */
export interface AskedQuestion {
  /** As the object has it. */
  readonly picker: string;
  /** The desired number of Pods. */
  readonly size: number;
  /** How many Pods have to go. */
  readonly count: number;
  /** How many of the candidates will go. */
  readonly requested: number;
  /** The names of the Pods to choose from by their UIDs, in the order in which they are sent. */
  readonly candidates: ReadonlyMap<string, string>;
}

export type CallState =
  | { readonly kind: "in flight" }
  | {
      readonly kind: "completed";
      readonly outcome: PickerOutcome;
      readonly tookMs: number;
      readonly expiresAt: Instant;
    };
