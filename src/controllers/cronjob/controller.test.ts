import { afterEach, expect, test } from "vitest";
import type { CronJobSpec } from "../../api/generated/batch-v1.ts";
import { controllerReference } from "../../api/owner-references.ts";
import { parseTime } from "../../api/time.ts";
import { cronJobs, jobs, pods } from "../../api/resources.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { testCluster, type TestCluster } from "../../testing/test-cluster.ts";

let cluster: TestCluster;
afterEach(() => cluster.stop());

const minute = 60_000;
const backup = { namespace: "default", name: "backup" };

async function start(spec: Partial<CronJobSpec>, completeAfter = "1s"): Promise<void> {
  cluster = await testCluster({ clock: new VirtualClock(parseTime("2026-01-01T00:00:30Z")) });
  const template = {
    metadata: { annotations: { "sim.trimtab.dev/completeAfter": completeAfter } },
    spec: { restartPolicy: "OnFailure", containers: [{ name: "app", image: "app:1" }] },
  };
  await cluster.client.create(cronJobs, {
    metadata: backup,
    spec: { schedule: "* * * * *", jobTemplate: { spec: { template } }, ...spec },
  });
}

const jobsNow = async () => (await cluster.client.list(jobs, {})).items;
const activeNow = async () =>
  (await jobsNow()).filter(({ status }) => (status?.active ?? 0) > 0).map(({ metadata }) => metadata.name);

test("a CronJob starts a Job every time, and keeps the last three", async () => {
  await start({});
  await cluster.clock.advance(29_000);
  expect(await jobsNow()).toEqual([]);
  await cluster.clock.advance(2000);
  expect(await activeNow()).toHaveLength(1);
  await cluster.clock.advance(5 * minute);
  expect(await jobsNow()).toHaveLength(3 + 1);
  const { status } = await cluster.client.get(cronJobs, backup);
  expect(status).toMatchObject({ lastScheduleTime: "2026-01-01T00:06:00Z" });
  await cluster.clock.advance(10_000);
  expect(await jobsNow()).toHaveLength(3);
  expect((await cluster.client.list(pods, {})).items).toHaveLength(3);
});

test.for([
  { policy: "Allow", want: 3 },
  { policy: "Forbid", want: 1 },
  { policy: "Replace", want: 1 },
])("with Jobs that do not end, $policy leaves $want of three running", async ({ policy, want }) => {
  await start({ concurrencyPolicy: policy }, "never");
  await cluster.clock.advance(2.75 * minute);
  expect(await activeNow()).toHaveLength(want);
  const { status } = await cluster.client.get(cronJobs, backup);
  expect(status?.active).toHaveLength(want);
});

test("a CronJob every minute whose Jobs sleep for five minutes has several Jobs at a time", async () => {
  cluster = await testCluster({ clock: new VirtualClock(parseTime("2026-01-01T00:00:30Z")) });
  const containers = [{ name: "c", image: "busybox:1.29", command: ["sleep", "300"] }];
  const template = { spec: { restartPolicy: "OnFailure", containers } };
  await cluster.client.create(cronJobs, {
    metadata: backup,
    spec: { schedule: "*/1 * * * ?", concurrencyPolicy: "Allow", jobTemplate: { spec: { template } } },
  });
  await cluster.clock.advance(1.75 * minute);
  expect(await activeNow()).toHaveLength(2);
  await cluster.clock.advance(10 * minute);
  expect(await activeNow()).toHaveLength(5);
});

test("a suspended CronJob starts nothing; when it is resumed, the latest time is made up for", async () => {
  await start({ suspend: true });
  await cluster.clock.advance(10 * minute);
  expect(await jobsNow()).toEqual([]);
  await cluster.client.patch(cronJobs, backup, { type: "merge", body: { spec: { suspend: false } } });
  await cluster.clock.advance(1000);
  expect(await jobsNow()).toHaveLength(1);
});

test("a CronJob whose Jobs are refused still deletes old ones, which may be why they are refused", async () => {
  const name = "x".repeat(52); // with the minute and an index of three digits it is no host name
  await start({ suspend: true });
  const { spec } = await cluster.client.get(cronJobs, backup);
  const template = spec.jobTemplate.spec?.template ?? {};
  const indexed = { template, completionMode: "Indexed", completions: 200, parallelism: 1 };
  const refused = await cluster.client.create(cronJobs, {
    metadata: { ...backup, name },
    spec: { schedule: "* * * * *", successfulJobsHistoryLimit: 0, jobTemplate: { spec: indexed } },
  });
  await cluster.clock.advance(minute);
  await cluster.client.create(jobs, {
    metadata: { ...backup, ownerReferences: [controllerReference(cronJobs, refused)] },
    spec: { template },
  });
  await cluster.clock.advance(10 * minute);
  expect(await jobsNow()).toEqual([]);
});

test("a CronJob and what it has started are deleted together", async () => {
  await start({}, "never");
  await cluster.clock.advance(2 * minute);
  await cluster.client.delete(cronJobs, backup, { propagationPolicy: "Background" });
  await cluster.clock.advance(minute);
  expect(await jobsNow()).toEqual([]);
  expect((await cluster.client.list(pods, {})).items).toEqual([]);
});
