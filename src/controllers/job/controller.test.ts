import { afterEach, expect, test } from "vitest";
import type { Job, JobSpec } from "../../api/generated/batch-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Draft } from "../../api/object.ts";
import { events, jobs, pods } from "../../api/resources.ts";
import { testCluster, type TestCluster } from "../../testing/test-cluster.ts";

let cluster: TestCluster;
afterEach(() => cluster.stop());

const at = (name: string) => ({ namespace: "default", name });

function draft(spec: Partial<JobSpec> = {}, simulated: Readonly<Record<string, string>> = {}): Draft<Job> {
  const annotations = Object.fromEntries(
    Object.entries(simulated).map(([name, value]) => [`sim.trimtab.dev/${name}`, value]),
  );
  return {
    metadata: at("pi"),
    spec: {
      template: {
        metadata: { annotations },
        spec: { restartPolicy: "Never", containers: [{ name: "pi", image: "perl:5" }] },
      },
      ...spec,
    },
  };
}

async function start(...args: Parameters<typeof draft>): Promise<void> {
  cluster = await testCluster();
  await cluster.client.create(jobs, draft(...args));
}

const status = async () => (await cluster.client.get(jobs, at("pi"))).status;
const podsOf = async (): Promise<readonly Pod[]> => (await cluster.client.list(pods, {})).items;
const conditions = async () => (await status())?.conditions?.map(({ type, status: of }) => `${type}=${of}`);

test("a Job runs its Pod to the end and completes", async () => {
  await start();
  await cluster.clock.advance(10_000);
  expect(await status()).toMatchObject({
    succeeded: 1,
    ready: 0,
    terminating: 0,
    uncountedTerminatedPods: {},
  });
  expect(await conditions()).toEqual(["SuccessCriteriaMet=True", "Complete=True"]);
  const [pod] = await podsOf();
  expect(pod?.metadata.finalizers).toBeUndefined();
  expect(pod?.status?.phase).toBe("Succeeded");
});

test("a Job runs so many Pods at once, until so many have succeeded", async () => {
  await start({ completions: 7, parallelism: 3 }, { completeAfter: "10s" });
  await cluster.clock.advance(5000);
  expect(await status()).toMatchObject({ active: 3, ready: 3 });
  await cluster.clock.advance(60_000);
  expect(await status()).toMatchObject({ succeeded: 7 });
  expect(await podsOf()).toHaveLength(7);
});

test("an Indexed Job runs each index once", async () => {
  await start({ completions: 4, parallelism: 2, completionMode: "Indexed" });
  await cluster.clock.advance(60_000);
  expect(await status()).toMatchObject({ succeeded: 4, completedIndexes: "0-3" });
  expect(
    (await podsOf()).map(({ spec }) => spec?.hostname ?? "").toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(["pi-0", "pi-1", "pi-2", "pi-3"]);
});

test("a Job whose Pods fail tries again ever more slowly, and fails", async () => {
  await start({ backoffLimit: 2 }, { crashExitCode: "3", crashLoop: "true" });
  await cluster.clock.advance(9000);
  expect(await podsOf()).toHaveLength(1);
  await cluster.clock.advance(6000);
  expect(await podsOf()).toHaveLength(2);
  await cluster.clock.advance(60_000);
  expect(await podsOf()).toHaveLength(3);
  expect(await status()).toMatchObject({ failed: 3 });
  expect(await conditions()).toEqual(["FailureTarget=True", "Failed=True"]);
});

test("an Indexed Job with a limit per index gives up one index after the other", async () => {
  const spec = { completions: 2, parallelism: 2, completionMode: "Indexed", backoffLimitPerIndex: 1 };
  await start(spec, { crashExitCode: "3" });
  await cluster.clock.advance(60_000);
  expect(await status()).toMatchObject({ failed: 4, failedIndexes: "0,1" });
  expect(await conditions()).toEqual(["FailureTarget=True", "Failed=True"]);
});

test("a Job that takes too long ends with its Pods", async () => {
  await start({ activeDeadlineSeconds: 20, parallelism: 2, completions: 2 }, { completeAfter: "never" });
  await cluster.clock.advance(19_000);
  expect(await status()).toMatchObject({ active: 2 });
  await cluster.clock.advance(1000);
  expect(await conditions()).toEqual(["FailureTarget=True"]);
  expect(await status()).toMatchObject({ terminating: 2 });
  await cluster.clock.advance(60_000);
  expect(await conditions()).toEqual(["FailureTarget=True", "Failed=True"]);
  expect(await status()).toMatchObject({ failed: 2, terminating: 0 });
  expect(await podsOf()).toEqual([]);
});

test("a Job is suspended and resumed", async () => {
  await start({ suspend: true }, { completeAfter: "10s" });
  await cluster.clock.advance(10_000);
  expect(await podsOf()).toEqual([]);
  expect(await conditions()).toEqual(["Suspended=True"]);
  const resume = (suspend: boolean) =>
    cluster.client.patch(jobs, at("pi"), { type: "merge", body: { spec: { suspend } } });
  await resume(false);
  await cluster.clock.advance(5000);
  expect(await status()).toMatchObject({ active: 1 });
  await resume(true);
  await cluster.clock.advance(60_000);
  expect(await podsOf()).toEqual([]);
  expect((await status())?.startTime).toBeUndefined();
  await resume(false);
  await cluster.clock.advance(60_000);
  expect(await conditions()).toEqual(["Suspended=False", "SuccessCriteriaMet=True", "Complete=True"]);
  expect((await status())?.failed).toBeUndefined();
});

test("a Pod that a user deletes counts as a failure and is replaced", async () => {
  await start({}, { completeAfter: "30s" });
  await cluster.clock.advance(5000);
  const [pod] = await podsOf();
  await cluster.client.delete(pods, pod?.metadata ?? { name: "" });
  await cluster.clock.advance(120_000);
  expect(await status()).toMatchObject({ succeeded: 1, failed: 1 });
});

test("a Job and its Pods are deleted together", async () => {
  await start({ parallelism: 2, completions: 2 }, { completeAfter: "never" });
  await cluster.clock.advance(5000);
  await cluster.client.delete(jobs, at("pi"), { propagationPolicy: "Background" });
  await cluster.clock.advance(60_000);
  expect(await podsOf()).toEqual([]);
});

test("the Pods of a Job that is deleted alone stay, without a finalizer", async () => {
  await start();
  await cluster.clock.advance(500);
  await cluster.client.delete(jobs, at("pi"), { propagationPolicy: "Orphan" });
  await cluster.clock.advance(60_000);
  const found = await podsOf();
  expect(found.map(({ metadata }) => metadata.finalizers)).toEqual([undefined]);
});

test("a finished Job is deleted with its Pods when its time is up", async () => {
  await start({ ttlSecondsAfterFinished: 30 });
  await cluster.clock.advance(20_000);
  expect(await conditions()).toContain("Complete=True");
  await cluster.clock.advance(30_000);
  expect((await cluster.client.list(jobs, {})).items).toEqual([]);
  expect(await podsOf()).toEqual([]);
});

test("a Job reports what it does in events", async () => {
  await start();
  await cluster.clock.advance(20_000);
  const { items } = await cluster.client.list(events, {});
  const reasons = items
    .filter(({ involvedObject }) => involvedObject.kind === "Job")
    .map(({ reason }) => reason);
  expect(reasons).toEqual(["SuccessfulCreate", "Completed"]);
});

test("a Job of another controller is left alone", async () => {
  await start({ managedBy: "example.com/queue" });
  await cluster.clock.advance(20_000);
  expect(await podsOf()).toEqual([]);
});

test("a Job whose command exits with 1 fails each index once it has used up its limit", async () => {
  const containers = [{ name: "c", image: "busybox", command: ["/bin/sh", "-c", "exit 1"] }];
  const template = { spec: { restartPolicy: "Never", containers } };
  const indexed = { completions: 2, parallelism: 2, completionMode: "Indexed", backoffLimitPerIndex: 0 };
  await start({ ...indexed, template });
  await cluster.clock.advance(60_000);
  expect(await status()).toMatchObject({ failed: 2, failedIndexes: "0,1" });
  expect(await conditions()).toEqual(["FailureTarget=True", "Failed=True"]);
});
