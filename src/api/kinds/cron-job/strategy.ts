import type { CronJob } from "../../generated/batch-v1.ts";
import { dns1123SubdomainProblems, type NameProblems } from "../../names.ts";
import { fillAbsent, fillEmpty, mapMembers, withMember } from "../defaulting.ts";
import { nonNegative, requiredOneOf, requiredText } from "../field-checks.ts";
import { jobSpecDefaults, validateJobSpec } from "../job/job-spec.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../sent.ts";

/** The strategy of CronJobs, which are stored, not run. */
export const cronJobStrategy: KindStrategy<Sent<CronJob>> = {
  nameProblems: cronJobNameProblems,
  defaults(object) {
    return mapMembers(fillAbsent(object, { spec: {} }), {
      spec: (spec) =>
        mapMembers(
          fillAbsent(fillEmpty(spec, { concurrencyPolicy: "Allow" }), {
            suspend: false,
            successfulJobsHistoryLimit: 3,
            failedJobsHistoryLimit: 1,
            jobTemplate: {},
          }),
          {
            jobTemplate: (template) =>
              mapMembers(fillAbsent(template, { spec: {} }), { spec: jobSpecDefaults }),
          },
        ),
    });
  },
  prepareForCreate(object) {
    return withMember(object, "status", undefined);
  },
  validate({ spec = {} }, context, stored) {
    const jobs = { spec: spec.jobTemplate?.spec ?? {}, stored: stored?.spec?.jobTemplate?.spec };
    return [
      ...validateJobSpec(jobs, "spec.jobTemplate.spec", context),
      ...requiredText(spec.schedule, "spec.schedule"),
      ...nonNegative(spec.startingDeadlineSeconds, "spec.startingDeadlineSeconds"),
      ...requiredOneOf(spec.concurrencyPolicy, "spec.concurrencyPolicy", ["Allow", "Forbid", "Replace"]),
      ...nonNegative(spec.successfulJobsHistoryLimit, "spec.successfulJobsHistoryLimit"),
      ...nonNegative(spec.failedJobsHistoryLimit, "spec.failedJobsHistoryLimit"),
    ];
  },
  needsComponent: true,
  generation: "spec",
  unconditionalUpdate: true,
};

/** The names of its Jobs are eleven characters longer, and must be valid labels. */
function cronJobNameProblems(name: string): NameProblems {
  const long = name.length > 52 ? ["must be no more than 52 characters"] : [];
  return [...dns1123SubdomainProblems(name), ...long];
}
