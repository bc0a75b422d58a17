import type { Pod } from "../../api/generated/core-v1.ts";
import { everything, matchesLabels } from "../../api/labels/label-selector.ts";
import { parseLabelSelector } from "../../api/labels/parse-label-selector.ts";
import type { Instant } from "../../api/time.ts";
import { findObject } from "../scenario-files/find-resource.ts";
import type { AssertionDocument } from "../scenario-files/scenario-document.ts";
import type { ClusterTracker, PodScope } from "../tracking/cluster-tracker.ts";
import type { DecisionJournal } from "../tracking/decision-journal.ts";
import { workloadResultKey } from "../tracking/workload-progress.ts";
import type { AssertionCheck, AssertionFailure, AssertionOutcome, CheckContext } from "./assertion-check.ts";
import { measureCheck } from "./measure-check.ts";
import { describeReplacedPods, findReplacedPods } from "../../decisions/explain/replaced-pods.ts";
import { millisecondsOf } from "../scenario-files/scenario-times.ts";
import { describeAssertion } from "./measures.ts";

/** What assertions are checked against. */
export interface AssertionContext {
  readonly tracker: ClusterTracker;
  readonly journal: DecisionJournal;
  readonly now: () => Instant;
  readonly durationMs: number;
}

/** A check for each assertion, with a tally of the Pods that it is about. */
export function assertionChecks(
  assertions: readonly AssertionDocument[],
  context: AssertionContext,
): readonly AssertionCheck[] {
  return assertions.map((assertion) => {
    const workload = workloadOf(assertion);
    const scope = scopeOf(assertion, workload);
    const tally = context.tracker.addScope(scope);
    const lastDecision = (until: Instant) =>
      context.journal.lastOf(workload === undefined ? [] : [workload], until);
    const checked = {
      ...context,
      tally,
      workload,
      lastDecision,
      beyondBudget: () => beyondBudget(context.tracker, scope),
    };
    return assertion.complete === undefined
      ? measureCheck(assertion, checked)
      : completionCheck(assertion, assertion.complete, checked);
  });
}

function workloadOf({ workload, namespace = "default" }: AssertionDocument): string | undefined {
  const found = workload === undefined ? undefined : findObject(workload);
  if (found === undefined || typeof found === "string") return undefined;
  return workloadResultKey(found.resource.kind, { namespace, name: found.name });
}

function scopeOf({ selector, namespace }: AssertionDocument, workload: string | undefined): PodScope {
  if (workload !== undefined) return (_pod, workloads) => workloads.includes(workload);
  const parsed = parseLabelSelector(selector ?? "");
  const selection = parsed.ok ? parsed.selection : everything;
  return ({ metadata }: Pod) =>
    (namespace === undefined || metadata.namespace === namespace) &&
    matchesLabels(selection, metadata.labels);
}

/**
 * Why there are more Pods than `TerminationComplete` allows: ReplicaSets have replaced some that others deleted.
 * Names the first Deployment with Pods in the scope to which this has happened.
 */
function beyondBudget(tracker: ClusterTracker, selects: PodScope): string | undefined {
  const all = [...tracker.pods()].map(({ pod, workloads }) => ({
    pod,
    workload: workloads.at(-1) ?? "",
    isInScope: selects(pod, workloads),
  }));
  for (const workload of new Set(all.filter(({ isInScope }) => isInScope).map((each) => each.workload))) {
    const { policy, desired: replicas = 0, budget = replicas } = tracker.progress(workload) ?? {};
    if (policy === undefined) continue;
    // Those outside of the scope use up the budget as well.
    const pods = all.filter((each) => each.workload === workload).map(({ pod }) => pod);
    const found = findReplacedPods({ policy, replicas, maxSurge: budget - replicas }, pods);
    if (found !== undefined) return `${workload}: ${describeReplacedPods(found)}`;
  }
  return undefined;
}

/** Checks that a workload is complete in time. */
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
