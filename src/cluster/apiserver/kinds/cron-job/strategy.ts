import { cronScheduleProblem } from "../../../../api/cron-schedule.ts";
import { invalid, notSupported } from "../../../../api/field-error.ts";
import type { CronJob, JobSpec } from "../../../../api/generated/batch-v1.ts";
import { dns1123SubdomainProblems, type NameProblems } from "../../../../api/names.ts";
import { fillAbsent, fillEmpty, mapMembers, withMember } from "../../../../api/defaulting.ts";
import {
  type FieldErrors,
  none,
  nonNegative,
  requiredOneOf,
  requiredText,
} from "../../../../api/field-checks.ts";
import { jobSpecWarnings, jobTemplateSpecDefaults, validateJobSpec } from "../job/job-spec.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { podWarnings } from "../pod-spec/pod-warnings.ts";
import type { Sent } from "../../../../api/sent.ts";
import { isSameGeneration } from "../workload/pod-template.ts";
import { nameWarning } from "../workload/selector-and-template.ts";

/** The strategy of CronJobs. */
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
              mapMembers(fillAbsent(template, { spec: {} }), { spec: jobTemplateSpecDefaults }),
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
      ...validateTemplateSelector(jobs.spec),
      ...requiredText(spec.schedule, "spec.schedule", scheduleProblems),
      ...validateTimeZone(spec.timeZone, stored?.spec?.timeZone),
      ...nonNegative(spec.startingDeadlineSeconds, "spec.startingDeadlineSeconds"),
      ...requiredOneOf(spec.concurrencyPolicy, "spec.concurrencyPolicy", ["Allow", "Forbid", "Replace"]),
      ...nonNegative(spec.successfulJobsHistoryLimit, "spec.successfulJobsHistoryLimit"),
      ...nonNegative(spec.failedJobsHistoryLimit, "spec.failedJobsHistoryLimit"),
    ];
  },
  warnings(object, _context, stored) {
    const job = object.spec?.jobTemplate?.spec;
    const path = "spec.jobTemplate.spec";
    const ofSpec = [...jobSpecWarnings(job, path), ...podWarnings(job?.template, `${path}.template`)];
    return [...nameWarning(object, stored), ...(isSameGeneration(object, stored) ? [] : ofSpec)];
  },
  needsComponent: true,
  generation: "spec",
  unconditionalUpdate: true,
};

/** Validates that the template has no selector, which is generated for each Job. */
function validateTemplateSelector({ selector, manualSelector }: Sent<JobSpec>): FieldErrors {
  const path = "spec.jobTemplate.spec";
  return [
    ...(selector === undefined
      ? none
      : [invalid(`${path}.selector`, selector, "`selector` will be auto-generated")]),
    ...(manualSelector === true
      ? [notSupported(`${path}.manualSelector`, manualSelector, ["nil", "false"])]
      : none),
  ];
}

function scheduleProblems(schedule: string): readonly string[] {
  const problem = cronScheduleProblem(schedule);
  const zoned = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
  return [...(problem === undefined ? [] : [problem]), ...(schedule.includes("TZ") ? [zoned] : [])];
}

/** Validates a time zone. Which zones exist depends on the machine; only a name that no zone can have is refused. */
function validateTimeZone(timeZone: string | undefined, stored: string | undefined): FieldErrors {
  const path = "spec.timeZone";
  if (timeZone === undefined || timeZone === stored) return none;
  if (timeZone === "") return [invalid(path, timeZone, "timeZone must be nil or non-empty string")];
  if (timeZone.toLowerCase() === "local") {
    const rule = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
    return [invalid(path, timeZone, rule)];
  }
  return zoneName.test(timeZone) && isTimeZone(timeZone)
    ? none
    : [invalid(path, timeZone, `unknown time zone ${timeZone}`)];
}

/** Matches the names of zones; some versions of Intl also take offsets, such as +05:30. */
const zoneName = /^[A-Za-z]/;

function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone !== "";
  } catch (error) {
    if (error instanceof RangeError) return false; // Intl throws it for an unknown zone
    throw error;
  }
}

/**
 * Returns the problems of a CronJob's name: those of its Jobs are eleven characters longer, and must be valid labels.
 */
function cronJobNameProblems(name: string): NameProblems {
  const long = name.length > 52 ? ["must be no more than 52 characters"] : [];
  return [...dns1123SubdomainProblems(name), ...long];
}
