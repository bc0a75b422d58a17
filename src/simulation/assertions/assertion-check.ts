import type { Instant } from "../../api/time.ts";
import type { AssertionDocument } from "../scenario-files/scenario-document.ts";
import { millisecondsOf } from "../scenario-files/scenario-times.ts";
import type { ClusterTracker } from "../tracking/cluster-tracker.ts";
import type { DecisionText } from "../tracking/decision-journal.ts";
import type { PodTally } from "../tracking/pod-tally.ts";
import { describeAssertion } from "./describe-assertion.ts";
import { brokenLimit, formatValue, measureOf, measures, type MeasureContext } from "./measures.ts";

/** What a failure came from. */
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

/** What came of an assertion. */
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
  /** Something may have changed. */
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
  /** The last decision about the Pods of this assertion. */
  readonly lastDecision: (until: Instant) => DecisionText | undefined;
}

/** Begins to check an assertion of a scenario. */
export function assertionCheck(assertion: AssertionDocument, context: CheckContext): AssertionCheck {
  return assertion.complete === undefined
    ? measureCheck(assertion, context)
    : completionCheck(assertion, assertion.complete, context);
}

function completionCheck(
  assertion: AssertionDocument,
  { within }: { readonly within: string },
  { tracker, now, workload = "", lastDecision }: CheckContext,
): AssertionCheck {
  const opensAt = millisecondsOf(assertion.from ?? "0");
  let opened: Instant | undefined;
  let extreme: AssertionOutcome["extreme"];
  let failure: AssertionFailure | undefined;
  const check = () => {
    if (opened === undefined || extreme !== undefined) return;
    if (tracker.progress(workload)?.isComplete === true)
      extreme = { value: (now() - opened) / 1000, at: now() };
  };
  return {
    opensAt,
    closesAt: opensAt + millisecondsOf(within),
    open: () => {
      opened = now();
      check();
    },
    check,
    close: () => {
      if (extreme !== undefined) return;
      const summary = tracker.progress(workload)?.summary ?? "it does not exist";
      const decision = lastDecision(now());
      const message = `not complete after ${within}: ${summary}`;
      failure = { at: now(), message, ...(decision !== undefined && { decision }) };
    },
    outcome: () => ({
      title: describeAssertion(assertion),
      ...(failure !== undefined && { failure }),
      ...(extreme !== undefined && { extreme }),
    }),
  };
}

/** A time in which a limit is broken, until it is not or has lasted long enough. */
interface Breach {
  readonly since: Instant;
  readonly message: string;
  readonly cause: FailureCause;
}

function measureCheck(assertion: AssertionDocument, context: CheckContext): AssertionCheck {
  const { name, limits, topologyKey } = measureOf(assertion) ?? { name: "pods", limits: {}, topologyKey: "" };
  const { tracker, tally, now, durationMs } = context;
  const { title, isSum = false, read, phrase = (value: string) => `${value} ${title}` } = measures[name];
  const [opensAt, closesAt] = windowOf(assertion, durationMs);
  const toleratedMs = millisecondsOf(assertion.for ?? "0");
  // Of a sum, the smallest number has to be reached at the end only.
  const running = isSum ? { ...(limits.atMost !== undefined && { atMost: limits.atMost }) } : limits;
  const ceiling = isSum && limits.exactly !== undefined ? { atMost: limits.exactly } : running;
  let baseline: number | undefined;
  let extreme: AssertionOutcome["extreme"];
  let breach: Breach | undefined;
  let failure: AssertionFailure | undefined;
  let askedLater: FailureCause["decision"];

  const measured = (): MeasureContext => ({ tally, tracker, now: now(), topologyKey });
  const failIfLasting = () => {
    if (breach === undefined || failure !== undefined) return;
    if (now() - breach.since < toleratedMs) return;
    const lasted = toleratedMs > 0 ? ` for ${assertion.for ?? ""}` : "";
    const { change, decision } = breach.cause;
    failure = {
      at: breach.since,
      message: `${breach.message}${lasted}`,
      ...(change !== undefined && { change }),
    };
    askedLater = decision;
  };
  const askDecision = () => {
    const decision = askedLater?.();
    askedLater = undefined;
    if (failure !== undefined && decision !== undefined) failure = { ...failure, decision };
  };
  const examine = (passes: typeof limits, cause: () => FailureCause) => {
    if (failure !== undefined && now() > failure.at) askDecision();
    if (baseline === undefined || failure !== undefined) return;
    failIfLasting(); // what was broken until now has lasted until now
    const value = read(measured()) - baseline;
    if (extreme === undefined || isNearer(value, extreme.value, limits)) extreme = { value, at: now() };
    const broken = brokenLimit(value, passes);
    if (broken === undefined) breach = undefined;
    else
      breach ??= {
        since: now(),
        message: `${value === 1 ? phrase("1").replace("Pods", "Pod") : phrase(formatValue(value))}, ${broken}`,
        cause: cause(),
      };
    failIfLasting();
  };
  const lastDecision = (): FailureCause => {
    const until = now();
    return { decision: () => context.lastDecision(until) };
  };

  return {
    opensAt,
    closesAt,
    open: () => {
      baseline = isSum ? read(measured()) : 0;
      if (assertion.at === undefined) examine(ceiling, lastDecision);
    },
    check: (cause) => {
      if (assertion.at === undefined) examine(ceiling, cause);
    },
    close: () => {
      if (baseline === undefined) baseline = 0;
      examine(isSum || assertion.at !== undefined ? limits : ceiling, lastDecision);
    },
    outcome: () => {
      askDecision();
      return {
        title: describeAssertion(assertion),
        ...(failure !== undefined && { failure }),
        ...(extreme !== undefined && { extreme }),
      };
    },
  };
}

function windowOf({ from, until, at }: AssertionDocument, durationMs: number): readonly [number, number] {
  const end = until === undefined ? durationMs : millisecondsOf(until);
  if (at === undefined) return [millisecondsOf(from ?? "0"), end];
  // With `at`, a sum is counted from `from` on.
  return [millisecondsOf(from ?? "0"), at === "end" ? durationMs : millisecondsOf(at)];
}

/** Whether a number is worse for the limits than another one. */
function isNearer(
  value: number,
  other: number,
  { atLeast, atMost, exactly }: { atLeast?: number; atMost?: number; exactly?: number },
): boolean {
  if (exactly !== undefined) return Math.abs(value - exactly) > Math.abs(other - exactly);
  if (atMost !== undefined) return value > other;
  return atLeast !== undefined && value < other;
}
