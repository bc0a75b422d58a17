import type { Job } from "../../src/api/generated/batch-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import {
  completionIndexOf,
  finishedCondition,
  isFinished,
  isManagedElsewhere,
} from "../../src/api/job-state.ts";
import { formatTime, type Instant } from "../../src/api/time.ts";
import { replacesFinishedOnly } from "../../src/decisions/jobs/job-tally.ts";
import { type JobPlan, planJob } from "../../src/decisions/jobs/plan-job.ts";
import { podStateText, shownStateOf } from "./pod-state.ts";

/** What a Job has done, and what it does next. */
export interface JobView {
  readonly headline: { readonly text: string; readonly isWaiting: boolean };
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** By index where they have one, and otherwise by name. */
  readonly pods: readonly JobPodRow[];
}

export interface JobPodRow {
  readonly pod: Pod;
  readonly index: string;
  readonly state: string;
}

/** A Job as its controller would see it, from its object and its Pods. */
export function jobView(job: Job, pods: readonly Pod[], now: Instant): JobView {
  return {
    headline: jobHeadline(job, pods, now),
    facts: jobFacts(job, pods, now),
    pods: pods
      .toSorted((a, b) => (completionIndexOf(a) ?? 0) - (completionIndexOf(b) ?? 0) || byName(a, b))
      .map((pod) => ({
        pod,
        index: String(completionIndexOf(pod) ?? ""),
        state: podStateText(shownStateOf(pod)).text,
      })),
  };
}

const byName = (a: Pod, b: Pod) => (a.metadata.name < b.metadata.name ? -1 : 1);

const planned = (job: Job, pods: readonly Pod[], now: Instant) =>
  planJob({ job, pods, released: new Set(), isExpecting: false, now });

/** What a Job waits for or does next, as a sentence. */
export function jobHeadline(job: Job, pods: readonly Pod[], now: Instant): JobView["headline"] {
  const says = (text: string, isWaiting = false) => ({ text, isWaiting });
  const finished = finishedCondition(job);
  if (finished !== undefined) {
    const { type, message = "", lastTransitionTime = "" } = finished;
    const at = lastTransitionTime === "" ? "" : ` at ${lastTransitionTime}`;
    return says(`${type}${at}${message === "" ? "" : `: ${message}`}`);
  }
  if (isManagedElsewhere(job)) return says(`run by ${job.spec.managedBy}, which decides about its Pods`);
  return plannedHeadline(planned(job, pods, now));
}

function plannedHeadline({ because, tally, actions, verdict, recheckAt }: JobPlan): JobView["headline"] {
  const running = `${tally.active.length} running`;
  const [action] = actions;
  const count = action === undefined ? 0 : "drafts" in action ? action.drafts.length : action.pods.length;
  switch (because) {
    case "succeeding":
    case "failing":
      return waiting(`ends: ${verdict?.message ?? because}`);
    case "being-deleted":
      return waiting("is being deleted");
    case "suspended":
      return waiting("suspended: no Pod runs until spec.suspend is false");
    case "backing-off":
      return waiting(
        `waits until ${recheckAt === undefined ? "later" : formatTime(recheckAt)} before it tries again, since Pods failed`,
      );
    case "waiting-for-terminating-pods":
      return waiting(
        `waits for ${tally.terminating} terminating: podReplacementPolicy Failed replaces a Pod only once it has ended`,
      );
    case "more-than-desired":
      return waiting(`${running}: removes ${count}, which are more than are needed`);
    case "fewer-than-desired":
      return waiting(`${running}: creates ${count} more`);
    case "expecting":
    case "as-many-as-desired":
      return { text: `${running}, as many as are needed`, isWaiting: false };
  }
}

const waiting = (text: string): JobView["headline"] => ({ text, isWaiting: true });

function jobFacts(job: Job, pods: readonly Pod[], now: Instant): JobView["facts"] {
  const { completions, parallelism = 1, completionMode = "NonIndexed" } = job.spec;
  const { completedIndexes = "", failedIndexes = "" } = job.status ?? {};
  const { succeeded = 0, failed = 0 } = countsOf(job, pods, now);
  const facts: JobView["facts"] = [
    ["succeeded", completions === undefined ? String(succeeded) : `${succeeded} of ${completions}`],
    ["failed", `${failed}, at most ${mostFailures(job)}`],
    ["parallelism", String(parallelism)],
    ["completion mode", completionMode],
    ["replaces Pods", replacesFinishedOnly(job) ? "once they have ended" : "as soon as they terminate"],
    ["completed indexes", completedIndexes],
    ["failed indexes", failedIndexes],
  ];
  return facts.filter(([, value]) => value !== "");
}

/** The counters of a finished Job stay; those of another are as new as its Pods. */
function countsOf(job: Job, pods: readonly Pod[], now: Instant): { succeeded?: number; failed?: number } {
  if (isFinished(job) || isManagedElsewhere(job)) return job.status ?? {};
  return planned(job, pods, now).tally;
}

function mostFailures({ spec: { backoffLimit = 6, backoffLimitPerIndex } }: Job): string {
  return backoffLimitPerIndex === undefined ? String(backoffLimit) : `${backoffLimitPerIndex} an index`;
}
