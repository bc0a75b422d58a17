import type { CronJob, Job, JobSpec } from "../../../src/api/generated/batch-v1.ts";
import type { JsonObject } from "../../../src/api/json.ts";
import { cronJobs, jobs, pods } from "../../../src/api/resources.ts";
import { controllerOf } from "../../../src/api/owner-references.ts";
import { ifFound } from "../../../src/machinery/client/api-error.ts";
import { oneOf, type Random, randomInt } from "../../../src/machinery/random/random.ts";
import type { User, UserStep } from "./scenario.ts";

// Jobs whose Pods succeed, crash and take their time, and a CronJob that starts more of them.

const seconds = (random: Random, most: number) => `${1 + randomInt(random, most)}s`;

/** Pods that succeed, that crash, and, where they are restarted, that succeed after crashes. */
function drawSpec(random: Random): JobSpec {
  const mode = oneOf(["NonIndexed", "Indexed"], random) ?? "NonIndexed";
  const crashes = random.next() < 0.4;
  const annotations = {
    "sim.trimtab.dev/startDelay": `${randomInt(random, 5000)}ms`,
    "sim.trimtab.dev/terminationDelay": `${randomInt(random, 20_000)}ms`,
    "sim.trimtab.dev/completeAfter": seconds(random, 40),
    ...(crashes && {
      // A Pod that outlives its Job must not be restarted without end.
      "sim.trimtab.dev/crashLoop": String(1 + randomInt(random, 3)),
      "sim.trimtab.dev/crashAfter": seconds(random, 10),
    }),
  };
  return {
    completions: 1 + randomInt(random, 6),
    parallelism: 1 + randomInt(random, 4),
    completionMode: mode,
    backoffLimit: randomInt(random, 6),
    ...(mode === "Indexed" && random.next() < 0.4 && { backoffLimitPerIndex: randomInt(random, 3) }),
    podReplacementPolicy: oneOf(["TerminatingOrFailed", "Failed"], random) ?? "Failed",
    ...(random.next() < 0.2 && { activeDeadlineSeconds: 30 + randomInt(random, 100) }),
    ...(random.next() < 0.2 && { ttlSecondsAfterFinished: randomInt(random, 100) }),
    template: {
      metadata: { annotations },
      spec: {
        restartPolicy: oneOf(["Never", "OnFailure"], random) ?? "Never",
        containers: [{ name: "app", image: "registry.example/batch:1" }],
      },
    },
  };
}

/** Creates a Job of one of these names, unless there is one. */
export const createJob =
  (names: readonly string[]): UserStep =>
  ({ client, random }) =>
    client.create(jobs, {
      metadata: { namespace: "default", name: oneOf(names, random) ?? "" },
      spec: drawSpec(random),
    });

/** Creates a CronJob that is due every minute. */
export const createCronJob: UserStep = ({ client, random }) =>
  client.create(cronJobs, {
    metadata: { namespace: "default", name: "tick" },
    spec: {
      schedule: "* * * * *",
      concurrencyPolicy: oneOf(["Allow", "Forbid", "Replace"], random) ?? "Allow",
      jobTemplate: { spec: drawSpec(random) },
    },
  });

async function someJob({ client, random }: User): Promise<Job | undefined> {
  return oneOf((await client.list(jobs, {})).items, random);
}

const change =
  (draw: (random: Random) => JsonObject): UserStep =>
  async (user) => {
    const job = await someJob(user);
    if (job === undefined) return;
    await user.perform(specPatch(job, draw(user.random)));
  };

function specPatch({ metadata: { namespace = "", name } }: Job | CronJob, spec: JsonObject) {
  const patch = { type: "merge", body: { spec } } as const;
  return { action: "patch", kind: jobs.kind, namespace, name, patch } as const;
}

/** Some Job is suspended or resumed. */
export const suspendOrResume = change((random) => ({ suspend: random.next() < 0.5 }));

/** Some Job may run another number of Pods at once. */
export const changeParallelism = change((random) => ({ parallelism: 1 + randomInt(random, 5) }));

/** Some Job goes, its Pods with it, before it or without it. */
export const deleteJob: UserStep = async (user) => {
  const job = await someJob(user);
  if (job === undefined) return;
  const propagationPolicy =
    oneOf(["Background", "Foreground", "Orphan"] as const, user.random) ?? "Background";
  const { namespace = "", name } = job.metadata;
  await user.perform({ action: "delete", kind: jobs.kind, namespace, name, propagationPolicy });
};

/** Some Pod of a Job is deleted. */
export const deleteJobPod: UserStep = async ({ client, random, perform }) => {
  const { items } = await client.list(pods, {});
  const pod = oneOf(
    items.filter((each) => controllerOf(each)?.kind === jobs.kind),
    random,
  );
  if (pod === undefined) return;
  const { namespace = "", name } = pod.metadata;
  await perform({ action: "delete", kind: pods.kind, namespace, name });
};

/** Sees to it that every Job can end and no more are started. */
export const letJobsEnd: UserStep = async ({ client, perform }) => {
  const { items: schedules } = await client.list(cronJobs, {});
  for (const each of schedules) await perform({ ...specPatch(each, { suspend: true }), kind: cronJobs.kind });
  const { items } = await client.list(jobs, {});
  // A finished Job may be deleted at any moment, when its time is up.
  for (const each of items) await ifFound(perform(specPatch(each, { suspend: false })));
};
