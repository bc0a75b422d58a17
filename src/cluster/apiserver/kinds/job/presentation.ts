import { isConditionTrue } from "../../../../api/conditions.ts";
import { humanDuration } from "../../../../api/duration.ts";
import type { Job } from "../../../../api/generated/batch-v1.ts";
import { isBeingDeleted } from "../../../../api/object.ts";
import { type Instant, parseTime } from "../../../../api/time.ts";
import { ageOf } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import { templateCells, templateColumns } from "../../tables/template-columns.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const jobTable: TableDescription<Job> = {
  columns: [
    nameColumn,
    column("Status", "Whether the Job runs, waits or has ended."),
    column("Completions", "Pods that have succeeded, of those that have to."),
    column("Duration", "How long it took, or takes so far."),
    ageColumn,
    ...templateColumns,
  ],

  cells: (job, now) => [
    job.metadata.name,
    statusOf(job),
    completionsOf(job),
    durationOf(job, now),
    ageOf(job, now),
    ...templateCells(job.spec),
  ],
};

function statusOf(job: Job): string {
  const has = (type: string) => isConditionTrue(job.status?.conditions, type);
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (isBeingDeleted(job)) return "Terminating";
  return ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find(has) ?? "Running";
}

function completionsOf({ spec, status }: Job): string {
  const { completions, parallelism = 0 } = spec;
  const succeeded = status?.succeeded ?? 0;
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationOf({ status }: Job, now: Instant): string {
  const start = parseTime(status?.startTime);
  return start === undefined ? "" : humanDuration((parseTime(status?.completionTime) ?? now) - start);
}

const jobDescriptions: TypeDescriptions = {
  "batch.v1.Job": {
    about: "Runs Pods until enough of them have succeeded.",
  },
  "batch.v1.JobSpec": {
    fields: {
      parallelism: "How many Pods may run at once.",
      completions: "How many Pods must succeed.",
      backoffLimit: "How many failures are tolerated.",
      template: "The template that the Pods are created from.",
    },
  },
};

export const jobPresentation: KindPresentation = { table: jobTable, descriptions: jobDescriptions };
