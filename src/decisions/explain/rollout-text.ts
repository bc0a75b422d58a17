import type { RevisionExplanation, RolloutExplanation, RolloutStep } from "./explain-rollout.ts";
import { describeDecidedBy } from "./scale-down-text.ts";
import {
  type TextCell,
  countText,
  joinParagraphs,
  plain,
  type TextOptions,
  textTable,
} from "./text-table.ts";

/** A rollout for people: what happens next, and what each revision waits for. */
export function rolloutText(
  explanation: RolloutExplanation,
  { isWide = false, paint = plain }: TextOptions = {},
): string {
  const { workload, revisions, problems, next, decidedBy, replaced } = explanation;
  const title = `Deployment ${workload.namespace}/${workload.name}: ${summary(explanation)}.`;
  const table = textTable(
    headings(isWide),
    revisions.map((each) => rowOf(each, isWide)),
    paint,
  );
  return joinParagraphs([
    [paint("heading", title), budgetSentence(explanation)],
    replaced === undefined ? [] : [`${replaced.because}.`],
    problems.map((problem) => `Problem: ${problem}`),
    next.length > 0 ? ["Next, at once:", ...next.map((step) => `  ${describeStep(step)}`)] : [],
    revisions.length > 0 ? table : [],
    isWide ? [describeDecidedBy(decidedBy)] : [],
  ]);
}

function summary(explanation: RolloutExplanation): string {
  const { problems, revisions, next, isPaused, pass } = explanation;
  if (problems.length > 0) return "nothing happens until it is corrected";
  if (pass === "refusal") return "nothing happens, since its selector selects every Pod";
  if (pass === "status") return "it is being deleted";
  if (isPaused) return "paused; its ReplicaSets are only scaled";
  return stateOf(revisions[0], next.length > 0);
}

function stateOf(current: RevisionExplanation | undefined, goesOn: boolean): string {
  const limit = current?.limit;
  if (limit?.kind === "complete") return "rolled out, nothing is left to do";
  if (limit?.kind === "progress-deadline" && limit.exceeded) return "stuck";
  return goesOn ? "in progress" : "waiting";
}

function budgetSentence(explanation: RolloutExplanation): string {
  const { strategy, replicas, maxSurge, maxUnavailable, policy } = explanation;
  const wanted = `${countText(replicas, "replica")} wanted`;
  const replacement =
    policy === "TerminationComplete"
      ? "; a Pod that is terminating counts until it is gone (TerminationComplete)"
      : "";
  if (strategy === "Recreate")
    return `${wanted}; all old Pods go before the first new one starts (Recreate)${replacement}.`;
  const most = `at most ${replicas + maxSurge} Pods at a time (maxSurge ${maxSurge})`;
  const least = `at least ${replicas - maxUnavailable} available (maxUnavailable ${maxUnavailable})`;
  return `${wanted}, ${most}, ${least}${replacement}.`;
}

function describeStep(step: RolloutStep): string {
  switch (step.do) {
    case "create":
      return `create ReplicaSet ${step.replicaSet} with ${countText(step.size, "Pod")}`;
    case "scale":
      return `scale ReplicaSet ${step.replicaSet} ${step.to > step.from ? "up" : "down"} from ${step.from} to ${step.to}`;
    case "delete":
      return `delete ReplicaSet ${step.replicaSet}, which is beyond the revision history limit`;
  }
}

function headings(isWide: boolean): readonly string[] {
  const counts = ["SIZE", "PODS", "AVAILABLE", "TERMINATING"];
  return ["REVISION", "REPLICASET", ...counts, ...(isWide ? ["READY"] : []), "THEN"];
}

const noCounts = { size: 0, pods: 0, ready: 0, available: 0, terminating: 0 };

function rowOf(revision: RevisionExplanation, isWide: boolean): readonly TextCell[] {
  const { role, replicaSet, revision: number, size, counts = noCounts, because } = revision;
  const { size: before, pods, ready, available, terminating } = counts;
  return [
    `${number ?? "?"}${role === "new" ? " (current)" : ""}`,
    replicaSet ?? "<to be created>",
    before === size ? String(size) : `${before} → ${size}`,
    String(pods),
    String(available),
    String(terminating ?? "?"),
    ...(isWide ? [String(ready)] : []),
    because,
  ];
}
