import * as fc from "fast-check";
import { test } from "vitest";
import type { CronJob, Job } from "../../api/generated/batch-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { planCronJob } from "./plan-cron-job.ts";
import { planJob } from "./plan-job.ts";
import { settlePods, trackPods } from "./track-pods.ts";

/** There or not there at all: the API server stores members of the right type only, and drops nulls. */
function members(model: Readonly<Record<string, fc.Arbitrary<unknown>>>) {
  return fc.record(model, { requiredKeys: [] });
}

const word = fc.constantFrom(
  "",
  "a",
  "True",
  "Indexed",
  "Failed",
  "Succeeded",
  "2026-01-01T00:00:00Z",
  "0-3",
);
const count = fc.integer({ min: -2, max: 1000 });
const list = (item: fc.Arbitrary<unknown>) => fc.array(item, { maxLength: 2 });
const metadata = fc.record(
  {
    name: word,
    namespace: word,
    uid: word,
    annotations: fc.constantFrom({ "batch.kubernetes.io/job-completion-index": "1" }, {}),
    finalizers: list(fc.constantFrom("batch.kubernetes.io/job-tracking", "a")),
    creationTimestamp: word,
    deletionTimestamp: word,
  },
  { requiredKeys: ["name", "uid"] },
);
const conditions = list(members({ type: word, status: word, reason: word, lastTransitionTime: word }));
const terminated = members({ exitCode: count, finishedAt: word });
const containerStatuses = list(members({ name: word, restartCount: count, state: members({ terminated }) }));
const exitCodes = fc.record({ operator: word, values: list(count) });
const patterns = list(members({ type: word, status: word }));
const failureRule = members({ action: word, onExitCodes: exitCodes, onPodConditions: patterns });
const successRule = members({ succeededIndexes: word, succeededCount: count });
const jobs = fc.record(
  {
    metadata,
    spec: members({
      completions: count,
      parallelism: count,
      completionMode: word,
      suspend: fc.boolean(),
      backoffLimit: count,
      activeDeadlineSeconds: count,
      podReplacementPolicy: word,
      podFailurePolicy: fc.record({ rules: list(failureRule) }),
      successPolicy: fc.record({ rules: list(successRule) }),
      template: members({ metadata, spec: fc.record({ restartPolicy: word, containers: fc.constant([]) }) }),
    }),
    status: members({
      startTime: word,
      succeeded: count,
      failed: count,
      completedIndexes: word,
      conditions,
      uncountedTerminatedPods: members({ succeeded: list(word), failed: list(word) }),
    }),
  },
  { requiredKeys: ["metadata", "spec"] },
);
const pods = list(
  fc.record({
    metadata,
    spec: members({ nodeName: word }),
    status: members({ phase: word, conditions, containerStatuses }),
  }),
);

test("whatever is stored, deciding about a Job does not throw", () => {
  fc.assert(
    fc.property(jobs, pods, fc.boolean(), (anyJob, anyPods, isExpecting) => {
      const job = anyJob as unknown as Job;
      const released = new Set<string>();
      const plan = planJob({ job, pods: anyPods as readonly Pod[], released, isExpecting, now: 0 });
      const tracking = trackPods(plan, { created: 0, deleted: [], isCertain: true }, 0);
      settlePods(tracking, new Set(), 0);
    }),
    { numRuns: 1000 },
  );
});

test("whatever is stored, deciding about a CronJob does not throw", () => {
  const schedule = fc.constantFrom("* * * * *", "bogus", "", "@every 1s", "0 0 31 2 *");
  const cronJobs = fc.record(
    {
      metadata,
      spec: fc.record(
        {
          schedule,
          timeZone: fc.constantFrom("UTC", "Mars/Olympus"),
          startingDeadlineSeconds: count,
          concurrencyPolicy: word,
          jobTemplate: members({ metadata }),
        },
        { requiredKeys: ["schedule", "jobTemplate"] },
      ),
      status: members({ lastScheduleTime: word, active: list(members({ name: word, uid: word })) }),
    },
    { requiredKeys: ["metadata", "spec"] },
  );
  fc.assert(
    fc.property(cronJobs, list(jobs), count, (cronJob, owned, now) => {
      planCronJob({ cronJob: cronJob as unknown as CronJob, jobs: owned as readonly Job[], now });
    }),
    { numRuns: 300 },
  );
});
