import type { Instant } from "../../api/time.ts";
import type { ClusterTracker } from "../tracking/cluster-tracker.ts";
import type { DecisionText } from "../tracking/decision-journal.ts";
import type { PodTally } from "../tracking/pod-tally.ts";

/** The cause of a failure. */
export interface FailureCause {
  /** What changed, as a sentence. */
  readonly change?: string;
  /**
   * The decision that led to it. To be asked when the moment is over: what a controller does may be seen before it has
   * logged why.
   */
  readonly decision?: () => DecisionText | undefined;
}

/** When and why an assertion did not hold. */
export interface AssertionFailure {
  readonly at: Instant;
  readonly message: string;
  readonly change?: string;
  readonly decision?: DecisionText;
}

/** The outcome of an assertion. */
export interface AssertionOutcome {
  readonly title: string;
  readonly failure?: AssertionFailure;
  /** The number that came nearest to a limit or broke it, or how long completion took, in seconds; absent: never checked. */
  readonly extreme?: { readonly value: number; readonly at: Instant };
}

/** Checks one assertion; an assertion is checked only while it is open. */
export interface AssertionCheck {
  /** When it opens and closes, in milliseconds from the beginning. */
  readonly opensAt: number;
  readonly closesAt: number;
  readonly open: () => void;
  /** Called after every change of the cluster. */
  readonly check: (cause: () => FailureCause) => void;
  readonly close: () => void;
  readonly outcome: () => AssertionOutcome;
}

/** What a check reads. */
export interface CheckContext {
  readonly tracker: ClusterTracker;
  readonly tally: PodTally;
  readonly now: () => Instant;
  readonly durationMs: number;
  /** The key of the assertion's workload, if it names one. */
  readonly workload: string | undefined;
  /** Why there are more Pods than a Deployment's policy allows, if that is not its own doing. */
  readonly beyondBudget: () => string | undefined;
  /** The last decision about the Pods of this assertion. */
  readonly lastDecision: (until: Instant) => DecisionText | undefined;
}
