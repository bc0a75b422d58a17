import type { CronJob } from "../../../../api/generated/batch-v1.ts";
import { parseTime } from "../../../../api/time.ts";
import { ageOf, ageSince, noneText, orNone, unset } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import { templateCells, templateColumns } from "../../tables/template-columns.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const cronJobTable: TableDescription<CronJob> = {
  columns: [
    nameColumn,
    column("Schedule", "When Jobs are created, in cron notation."),
    column("Timezone", "The time zone of the schedule."),
    column("Suspend", "Whether no Jobs are created now.", "boolean"),
    column("Active", "Jobs that run now.", "integer"),
    column("Last Schedule", "How long ago the last Job was created."),
    ageColumn,
    ...templateColumns,
  ],

  cells(cronJob, now) {
    const { spec, status } = cronJob;
    const last = parseTime(status?.lastScheduleTime);
    return [
      cronJob.metadata.name,
      spec.schedule,
      orNone(spec.timeZone),
      suspendText(spec.suspend),
      status?.active?.length ?? 0,
      last === undefined ? noneText : ageSince(last, now),
      ageOf(cronJob, now),
      ...templateCells(spec.jobTemplate.spec ?? {}),
    ];
  },
};

function suspendText(suspend: boolean | undefined): string {
  if (suspend === undefined) return unset;
  return suspend ? "True" : "False";
}

const cronJobDescriptions: TypeDescriptions = {
  "batch.v1.CronJob": {
    about: "Creates Jobs on a schedule.",
  },
  "batch.v1.CronJobSpec": {
    fields: {
      schedule: "When to create a Job, in cron notation.",
      suspend: "While true, no Job is created.",
      jobTemplate: "The template that the Jobs are created from.",
    },
  },
};

export const cronJobPresentation: KindPresentation = {
  table: cronJobTable,
  descriptions: cronJobDescriptions,
};
