import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const jobDescriptions: TypeDescriptions = {
  "batch.v1.Job": {
    about: "Runs Pods until enough of them have succeeded. Stored here, not run.",
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

export const jobPresentation: KindPresentation = { descriptions: jobDescriptions };
