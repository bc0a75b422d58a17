import type { Pod } from "../../api/generated/core-v1.ts";
import { everything, matchesLabels } from "../../api/labels/label-selector.ts";
import { parseLabelSelector } from "../../api/labels/parse-label-selector.ts";
import type { Instant } from "../../api/time.ts";
import { findObject } from "../scenario-files/find-resource.ts";
import type { AssertionDocument } from "../scenario-files/scenario-document.ts";
import type { ClusterTracker, PodScope } from "../tracking/cluster-tracker.ts";
import type { DecisionJournal } from "../tracking/decision-journal.ts";
import { workloadResultKey } from "../tracking/workload-progress.ts";
import type { AssertionCheck } from "./assertion-check.ts";
import { beyondBudget } from "./beyond-budget.ts";
import { completionCheck } from "./completion-check.ts";
import { measureCheck } from "./measure-check.ts";

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
