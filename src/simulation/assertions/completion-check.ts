import type { Instant } from "../../api/time.ts";
import type { AssertionDocument } from "../scenario-files/scenario-document.ts";
import { millisecondsOf } from "../scenario-files/scenario-times.ts";
import type { AssertionCheck, AssertionFailure, AssertionOutcome, CheckContext } from "./assertion-check.ts";
import { describeAssertion } from "./describe-assertion.ts";

/** Checks that a workload is complete in time. */
export function completionCheck(
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
