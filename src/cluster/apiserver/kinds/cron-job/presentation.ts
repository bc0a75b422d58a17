import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const cronJobDescriptions: TypeDescriptions = {
  "batch.v1.CronJob": {
    about: "Creates Jobs on a schedule. Stored here, not run.",
  },
  "batch.v1.CronJobSpec": {
    fields: {
      schedule: "When to create a Job, in cron notation.",
      suspend: "While true, no Job is created.",
      jobTemplate: "The template that the Jobs are created from.",
    },
  },
};

export const cronJobPresentation: KindPresentation = { descriptions: cronJobDescriptions };
