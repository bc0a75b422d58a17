import type { Instant } from "../../api/time.ts";
import type { AssertionDocument } from "../scenario-files/scenario-document.ts";
import { millisecondsOf } from "../scenario-files/scenario-times.ts";
import type {
  AssertionCheck,
  AssertionFailure,
  AssertionOutcome,
  CheckContext,
  FailureCause,
} from "./assertion-check.ts";
import {
  describeAssertion,
  brokenLimit,
  formatValue,
  measureOf,
  measures,
  type MeasureContext,
} from "./measures.ts";

/** A time in which a limit is broken, until it is not or has lasted long enough. */
interface Breach {
  readonly since: Instant;
  readonly message: string;
  readonly cause: FailureCause;
  /** Why there are more Pods than a Deployment's policy allows, if that is what is broken. */
  readonly beyondBudget: string | undefined;
}

/** Checks that a number stays within its limits. */
export function measureCheck(assertion: AssertionDocument, context: CheckContext): AssertionCheck {
  const { name, limits, topologyKey } = measureOf(assertion) ?? { name: "pods", limits: {}, topologyKey: "" };
  const { tracker, tally, now, durationMs } = context;
  const { title, isSum = false, read, phrase = (value: string) => `${value} ${title}` } = measures[name];
  const [opensAt, closesAt] = windowOf(assertion, durationMs);
  const toleratedMs = millisecondsOf(assertion.for ?? "0");
  // A sum has to reach `atLeast` only at the end.
  const running = isSum ? { ...(limits.atMost !== undefined && { atMost: limits.atMost }) } : limits;
  const ceiling = isSum && limits.exactly !== undefined ? { atMost: limits.exactly } : running;
  const beyondBudget = name === "pods" ? context.beyondBudget : () => undefined;
  let baseline: number | undefined;
  let extreme: AssertionOutcome["extreme"];
  let breach: Breach | undefined;
  let failure: AssertionFailure | undefined;
  let askedLater: FailureCause["decision"];

  const measured = (): MeasureContext => ({
    tally,
    tracker,
    now: now(),
    topologyKey,
    workload: context.workload,
  });
  const failIfLasting = () => {
    if (breach === undefined || failure !== undefined) return;
    if (now() - breach.since < toleratedMs) return;
    const lasted = toleratedMs > 0 ? ` for ${assertion.for ?? ""}` : "";
    const { change, decision } = breach.cause;
    const why = breach.beyondBudget === undefined ? "" : `; ${breach.beyondBudget}`;
    failure = {
      at: breach.since,
      message: `${breach.message}${lasted}${why}`,
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
        beyondBudget: beyondBudget(),
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
