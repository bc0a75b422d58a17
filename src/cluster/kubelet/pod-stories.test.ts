import { expect, onTestFinished, test } from "vitest";
import type { ContainerState, ContainerStatus, Pod, PodSpec } from "../../api/generated/core-v1.ts";
import { isReady } from "../../api/pod-state.ts";
import { events, nodes, pods } from "../../api/resources.ts";
import { testCluster } from "../../testing/test-cluster.ts";

interface Story {
  /** Without their prefix, or with a slash before one of another prefix. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: Partial<PodSpec>;
  /** What its node is told, without the prefix. */
  readonly node?: Readonly<Record<string, string>>;
  readonly seconds?: number;
  /** Whether it is deleted as soon as it is ready, when the story begins. */
  readonly deleted?: boolean;
}

/** What a Pod on a node reports, as `second phase [ready] containers`. */
async function tell(story: Story): Promise<readonly string[]> {
  const { annotations = {}, labels = {}, spec = {}, node = {}, seconds = 60 } = story;
  const { client, clock, store, stop } = await testCluster({
    nodes: 1,
    components: ["kubelet", "service-account"],
  });
  await clock.advance(1000);
  const body = { metadata: { annotations: prefixed(node) } };
  await client.patch(nodes, { name: "node-1" }, { type: "merge", body });
  await clock.advance(1000);
  let begun = clock.now();
  const told: string[] = [];
  store.collection("pods").subscribe({ of: "all" }, (events) => {
    for (const { type, record } of events) {
      const at = `${(clock.now() - begun) / 1000}`;
      const line = type === "DELETED" ? "gone" : describePod(record.object as unknown as Pod);
      if (told.at(-1)?.slice(told.at(-1)?.indexOf(" ")) !== ` ${line}`) told.push(`${at} ${line}`);
    }
  });
  await client.create(pods, {
    metadata: { name: "web", namespace: "default", labels, annotations: prefixed(annotations) },
    spec: { nodeName: "node-1", containers: [{ name: "app", image: "nginx:1" }], ...spec },
  });
  if (story.deleted === true) {
    await clock.advance(5000);
    told.length = 0;
    begun = clock.now();
    await client.delete(pods, { namespace: "default", name: "web" });
  }
  await clock.advance(seconds * 1000);
  await stop();
  return told;
}

function prefixed(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      key.startsWith("/") ? key.slice(1) : `sim.trimtab.dev/${key}`,
      value,
    ]),
  );
}

function describePod(pod: Pod): string {
  const { phase, reason, initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  const statuses = [...initContainerStatuses, ...containerStatuses].map(describeContainer);
  return [phase, reason, isReady(pod) ? "ready" : undefined, ...statuses]
    .filter((word) => word !== undefined)
    .join(" ");
}

function describeContainer({ name, state, lastState, restartCount }: ContainerStatus): string {
  const last = lastState?.terminated === undefined ? "" : ` after ${describeState(lastState)}`;
  return `${name}:${describeState(state)}${last}${restartCount > 0 ? ` x${restartCount}` : ""}`;
}

function describeState({ waiting, running, terminated }: ContainerState = {}): string {
  if (running !== undefined) return "running";
  return waiting?.reason ?? `${terminated?.reason}(${terminated?.exitCode})`;
}

test.for<{ name: string; story: Story; want: readonly string[] }>([
  {
    name: "that is not restarted completes",
    story: { spec: { restartPolicy: "Never" } },
    want: [
      "0 Pending",
      "0 Pending app:ContainerCreating",
      "0.5 Running ready app:running",
      "1.5 Succeeded app:Completed(0)",
    ],
  },
  {
    name: "that is not restarted fails with its exit code",
    story: { spec: { restartPolicy: "Never" }, annotations: { crashAfter: "2s", crashExitCode: "42" } },
    want: [
      "0 Pending",
      "0 Pending app:ContainerCreating",
      "0.5 Running ready app:running",
      "2.5 Failed app:Error(42)",
    ],
  },
  {
    name: "that is active for longer than its deadline fails",
    story: { spec: { activeDeadlineSeconds: 5 } },
    want: [
      "0 Pending",
      "0 Pending app:ContainerCreating",
      "0.5 Running ready app:running",
      "5 Failed DeadlineExceeded app:Error(137)",
    ],
  },
  {
    name: "that cannot start before its deadline fails without having run",
    story: { spec: { activeDeadlineSeconds: 5 }, annotations: { startDelay: "1m" } },
    want: ["0 Pending", "0 Pending app:ContainerCreating", "5 Failed DeadlineExceeded app:ContainerCreating"],
  },
  {
    name: "that waits for its restart at its deadline fails, and its container ended when it crashed",
    story: { spec: { activeDeadlineSeconds: 5 }, annotations: { crashAfter: "1s" } },
    want: [
      "0 Pending",
      "0 Pending app:ContainerCreating",
      "0.5 Running ready app:running",
      "1.5 Running app:CrashLoopBackOff after Error(1) x1",
      "5 Failed DeadlineExceeded app:Error(1) after Error(1) x1",
    ],
  },
  {
    name: "that completes before its deadline has succeeded",
    story: { spec: { activeDeadlineSeconds: 5, restartPolicy: "Never" } },
    want: [
      "0 Pending",
      "0 Pending app:ContainerCreating",
      "0.5 Running ready app:running",
      "1.5 Succeeded app:Completed(0)",
    ],
  },
  {
    name: "that is deleted before its deadline ends as it would without one",
    story: {
      spec: { activeDeadlineSeconds: 10, terminationGracePeriodSeconds: 20 },
      annotations: { ignoreSIGTERM: "true" },
      deleted: true,
    },
    want: ["0 Running ready app:running", "20 Failed app:Error(137)", "20.05 gone"],
  },
  {
    name: "that is restarted on failure completes after a crash",
    story: { spec: { restartPolicy: "OnFailure" }, annotations: { crashAfter: "1s", completeAfter: "5s" } },
    want: [
      "0 Pending",
      "0 Pending app:ContainerCreating",
      "0.5 Running ready app:running",
      "1.5 Running app:CrashLoopBackOff after Error(1) x1",
      "11.5 Running ready app:running after Error(1) x1",
      "16.5 Succeeded app:Completed(0) after Error(1) x1",
    ],
  },
  {
    name: "that runs out of memory is restarted",
    story: { annotations: { oom: "true", crashAfter: "1s" }, seconds: 20 },
    want: [
      "0 Pending",
      "0 Pending app:ContainerCreating",
      "0.5 Running ready app:running",
      "1.5 Running app:CrashLoopBackOff after OOMKilled(137) x1",
      "11.5 Running ready app:running after OOMKilled(137) x1",
    ],
  },
  {
    name: "with init containers and a sidecar runs them in order and ends the sidecar with it",
    story: {
      spec: {
        restartPolicy: "Never",
        initContainers: [
          { name: "proxy", image: "envoy", restartPolicy: "Always" },
          { name: "migrate", image: "busybox" },
        ],
      },
    },
    want: [
      "0 Pending",
      "0 Pending proxy:PodInitializing migrate:PodInitializing app:PodInitializing",
      "0.5 Pending proxy:running migrate:PodInitializing app:PodInitializing",
      "0.6 Pending proxy:running migrate:running app:PodInitializing",
      "0.7 Running ready proxy:running migrate:Completed(0) app:running",
      "1.7 Succeeded proxy:Completed(0) migrate:Completed(0) app:Completed(0)",
    ],
  },
  {
    name: "whose image cannot be pulled backs off",
    story: { annotations: { imagePull: "backoff" }, seconds: 15 },
    want: [
      "0 Pending",
      "0 Pending app:ContainerCreating",
      "0.5 Pending app:ErrImagePull",
      "10.5 Pending app:ImagePullBackOff",
    ],
  },
  {
    name: "whose init container fails tries it again",
    story: {
      spec: { initContainers: [{ name: "migrate", image: "busybox" }] },
      annotations: { initExitCode: "2" },
      seconds: 11,
    },
    want: [
      "0 Pending",
      "0 Pending migrate:PodInitializing app:PodInitializing",
      "0.5 Pending migrate:running app:PodInitializing",
      "0.6 Pending migrate:CrashLoopBackOff after Error(2) x1 app:PodInitializing",
      "10.6 Pending migrate:running after Error(2) x1 app:PodInitializing",
      "10.7 Pending migrate:CrashLoopBackOff after Error(2) x2 app:PodInitializing",
    ],
  },
  {
    name: "that crashes in a loop is restarted ever more slowly",
    story: { annotations: { crashLoop: "true", crashAfter: "1s" }, seconds: 40 },
    want: [
      "0 Pending",
      "0 Pending app:ContainerCreating",
      "0.5 Running ready app:running",
      "1.5 Running app:CrashLoopBackOff after Error(1) x1",
      "11.5 Running ready app:running after Error(1) x1",
      "12.5 Running app:CrashLoopBackOff after Error(1) x2",
      "32.5 Running ready app:running after Error(1) x2",
      "33.5 Running app:CrashLoopBackOff after Error(1) x3",
    ],
  },
  {
    name: "whose start fails is restarted",
    story: { annotations: { startFailureRate: "100%" }, seconds: 5 },
    want: [
      "0 Pending",
      "0 Pending app:ContainerCreating",
      "0.5 Running app:CrashLoopBackOff after StartError(128) x1",
    ],
  },
  {
    name: "flaps",
    story: { annotations: { readyFlap: "4s" }, seconds: 10 },
    want: [
      "0 Pending",
      "0 Pending app:ContainerCreating",
      "0.5 Running ready app:running",
      "4.5 Running app:running",
      "8.5 Running ready app:running",
    ],
  },
  {
    name: "that is never ready runs",
    story: { annotations: { neverReady: "true" }, seconds: 10 },
    want: ["0 Pending", "0 Pending app:ContainerCreating", "0.5 Running app:running"],
  },
  {
    name: "is evicted by its kubelet",
    story: { annotations: { evictAfter: "3s" } },
    want: [
      "0 Pending",
      "0 Pending app:ContainerCreating",
      "0.5 Running ready app:running",
      "3.5 Failed Evicted app:Error(137)",
    ],
  },
  {
    name: "with a readiness gate is not ready before it is opened",
    story: { spec: { readinessGates: [{ conditionType: "example.com/open" }] }, seconds: 10 },
    want: ["0 Pending", "0 Pending app:ContainerCreating", "0.5 Running app:running"],
  },
  {
    name: "opens its readiness gates itself when told so",
    story: {
      spec: { readinessGates: [{ conditionType: "example.com/open" }] },
      annotations: { autoReadinessGates: "true" },
      seconds: 10,
    },
    want: ["0 Pending", "0 Pending app:ContainerCreating", "0.5 Running ready app:running"],
  },
  {
    name: "of a slow node takes longer",
    story: { node: { slow: "10" }, seconds: 10 },
    want: ["0 Pending", "0 Pending app:ContainerCreating", "5 Running ready app:running"],
  },
  {
    name: "is told by its node what it is not told itself",
    story: { node: { startDelay: "2s", readyDelay: "9s" }, annotations: { readyDelay: "1s" }, seconds: 10 },
    want: [
      "0 Pending",
      "0 Pending app:ContainerCreating",
      "2 Running app:running",
      "3 Running ready app:running",
    ],
  },
  {
    name: "has the profile of its label",
    story: { labels: { "sim.trimtab.dev/profile": "crashing" }, seconds: 12 },
    want: [
      "0 Pending",
      "0 Pending app:ContainerCreating",
      "0.5 Running ready app:running",
      "10.5 Running app:CrashLoopBackOff after Error(1) x1",
    ],
  },
  {
    name: "with KWOK's marks does what its stages say",
    story: {
      labels: { "pod-container-running-failed.stage.kwok.x-k8s.io": "true" },
      annotations: {
        "/pod-create.stage.kwok.x-k8s.io/delay": "3s",
        "/pod-container-running-failed.stage.kwok.x-k8s.io/delay": "2s",
        "/pod-container-running-failed.stage.kwok.x-k8s.io/exit-code": "9",
      },
      seconds: 10,
    },
    want: [
      "0 Pending",
      "0 Pending app:ContainerCreating",
      "3 Running ready app:running",
      "5 Running app:CrashLoopBackOff after Error(9) x1",
    ],
  },
  {
    name: "is refused by a node that refuses Pods",
    story: { node: { reject: "OutOfcpu" } },
    want: ["0 Pending", "0 Failed OutOfcpu app:ContainerCreating"],
  },
  {
    name: "is refused by a node that is being shut down",
    story: { node: { shutdown: "true" } },
    want: ["0 Pending", "0 Failed NodeShutdown app:ContainerCreating"],
  },
])("a Pod $name", async ({ story, want }) => {
  expect(await tell(story)).toEqual(want);
});

test.for<{ name: string; annotations: Readonly<Record<string, string>>; want: readonly string[] }>([
  {
    name: "in its own time",
    annotations: {},
    want: ["0 Running ready app:running", "1 Succeeded app:Completed(0)", "1.05 gone"],
  },
  {
    name: "with the exit code it is told",
    annotations: { exitCodeOnTerm: "143", terminationDelay: "4s" },
    want: ["0 Running ready app:running", "4 Failed app:Error(143)", "4.05 gone"],
  },
  {
    name: "only when it is killed",
    annotations: { ignoreSIGTERM: "true" },
    want: ["0 Running ready app:running", "30 Failed app:Error(137)", "30.05 gone"],
  },
  { name: "never", annotations: { stuckTerminating: "true" }, want: ["0 Running ready app:running"] },
  {
    name: "and is not ready meanwhile",
    annotations: { notReadyOnTerminate: "true" },
    want: [
      "0 Running ready app:running",
      "0 Running app:running",
      "1 Succeeded app:Completed(0)",
      "1.05 gone",
    ],
  },
  {
    name: "and stays visible for a while",
    annotations: { removalDelay: "5s" },
    want: ["0 Running ready app:running", "1 Succeeded app:Completed(0)", "6 gone"],
  },
])("a Pod that is deleted ends $name", async ({ annotations, want }) => {
  expect(await tell({ annotations, deleted: true })).toEqual(want);
});

test("all mistakes of a Pod are one event", async () => {
  const { client, clock, stop } = await testCluster({ nodes: 1 });
  await clock.advance(1000);
  const annotations = prefixed({ startDelay: "soon", crash: "now", profile: "tired" });
  await client.create(pods, {
    metadata: { name: "web", namespace: "default", annotations },
    spec: { nodeName: "node-1", containers: [{ name: "app", image: "nginx:1" }] },
  });
  await clock.advance(5000);
  const { items } = await client.list(events, { namespace: "default" });
  const told = items.filter(({ reason }) => reason === "InvalidSimulation");
  expect(told).toHaveLength(1);
  const mistakes = (told[0]?.message ?? "")
    .split("; ")
    .map((each) => each.replace(/ \(known.*| must be.*/, ""));
  expect(mistakes).toEqual([
    'sim.trimtab.dev/profile "tired" is not known',
    "sim.trimtab.dev/crash is not known",
    "sim.trimtab.dev/startDelay",
  ]);
  await stop();
});

const web = { namespace: "default", name: "web" };

async function clusterWithPod(metadata: Partial<Pod["metadata"]>, spec: Partial<PodSpec> = {}) {
  const cluster = await testCluster({
    nodes: 1,
    components: ["service-account", "garbage-collector"],
    observed: ["kubelet"],
  });
  onTestFinished(() => cluster.stop());
  await cluster.clock.advance(1000);
  await cluster.client.create(pods, {
    metadata: { ...metadata, ...web },
    spec: { nodeName: "node-1", containers: [{ name: "app", image: "nginx:1" }], ...spec },
  });
  const described = async () => describePod(await cluster.client.get(pods, web));
  return { ...cluster, described };
}

test.for([
  { annotations: { completeAfter: "1s" }, end: "Succeeded app:Completed(0)" },
  { annotations: { crashAfter: "1s" }, end: "Failed app:Error(1)" },
])("a Pod that has ended as $end stays so when it is deleted and a finalizer keeps it", async (told) => {
  const { client, clock, described } = await clusterWithPod(
    { annotations: prefixed(told.annotations), finalizers: ["example.com/keep"] },
    { restartPolicy: "Never" },
  );
  await clock.advance(5000);
  expect(await described()).toBe(told.end);
  await client.delete(pods, web);
  await clock.advance(60_000);
  expect(await described()).toBe(told.end);
});

test.for([
  { name: "has not started", annotations: { startDelay: "1m" }, end: "ContainerStatusUnknown(137)" },
  { name: "waits for its image", annotations: { imagePull: "backoff" }, end: "ContainerStatusUnknown(137)" },
  { name: "waits for its restart", annotations: { crashAfter: "1s" }, end: "Error(1) after Error(1) x1" },
])("a Pod that is deleted while it $name has failed", async ({ annotations, end }) => {
  const { client, clock, described } = await clusterWithPod({
    annotations: prefixed({ ...annotations, removalDelay: "1m", notReadyOnTerminate: "true" }),
  });
  await clock.advance(5000);
  await client.delete(pods, web);
  await clock.advance(5000);
  expect(await described()).toBe(`Failed app:${end}`);
});

test("a Pod that waits for its restart keeps how it ended, whatever else changes", async () => {
  const { client, clock } = await clusterWithPod(
    { annotations: prefixed({ crashAfter: "3s" }) },
    { readinessGates: [{ conditionType: "example.com/open" }] },
  );
  const crash = async () => (await client.get(pods, web)).status?.containerStatuses?.[0]?.lastState;
  await clock.advance(5000);
  const told = await crash();
  expect(told?.terminated?.startedAt).not.toBe(told?.terminated?.finishedAt);
  await client.patch(pods, web, { type: "merge", body: { metadata: { labels: { changed: "true" } } } });
  await clock.advance(1000);
  expect(await crash()).toEqual(told);
});

test("a Pod is given a deadline while it runs, is told that it has reached it, and was not disrupted", async () => {
  const { client, clock, described } = await clusterWithPod({});
  await clock.advance(5000);
  await client.patch(pods, web, { type: "merge", body: { spec: { activeDeadlineSeconds: 8 } } });
  await clock.advance(2000);
  expect(await described()).toBe("Running ready app:running");
  await clock.advance(2000);
  expect(await described()).toBe("Failed DeadlineExceeded app:Error(137)");
  const { conditions } = (await client.get(pods, web)).status ?? {};
  expect(conditions?.map(({ type }) => type)).not.toContain("DisruptionTarget");
  const { items } = await client.list(events, { namespace: "default" });
  expect(items.find(({ reason }) => reason === "DeadlineExceeded")).toMatchObject({
    type: "Normal",
    message: "Pod was active on the node longer than the specified deadline",
  });
});

test("a Pod whose deletion is known from an answer only is not killed early", async () => {
  const { client, clock, observed, described } = await clusterWithPod({
    annotations: prefixed({ readyDelay: "5s", terminationDelay: "10s" }),
  });
  await clock.advance(3000);
  observed.holdWatches(pods);
  await client.delete(pods, web);
  await clock.advance(4000);
  for (const turn of ["first", "second"]) {
    const body = { metadata: { annotations: { turn } } };
    await client.patch(nodes, { name: "node-1" }, { type: "merge", body });
    await clock.advance(1000);
  }
  expect(await described()).toBe("Running ready app:running");
});

test.for([
  {
    name: "has ended",
    spec: { restartPolicy: "Never" },
    annotations: { completeAfter: "2s" },
    phase: "Succeeded",
  },
  { name: "runs and is not ready", annotations: { neverReady: "true" }, phase: "Running" },
])(
  "a report that arrives late is overwritten again for a Pod that $name",
  async ({ spec, annotations, phase }) => {
    const { client, clock } = await clusterWithPod({ annotations: prefixed(annotations) }, spec);
    const phaseNow = async () => (await client.get(pods, web)).status?.phase;
    await clock.advance(10_000);
    expect(await phaseNow()).toBe(phase);
    const body = { status: { phase: "Pending" } };
    await client.patch(pods, web, { type: "strategic", body, subresource: "status" });
    await clock.advance(1000);
    expect(await phaseNow()).toBe(phase);
  },
);
