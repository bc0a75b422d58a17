import { expect, test } from "vitest";
import type { ContainerState, ContainerStatus, Pod, PodSpec } from "../../api/generated/core-v1.ts";
import { isReady } from "../../api/pod-state.ts";
import { pods } from "../../api/resources.ts";
import { testCluster } from "../../testing/test-cluster.ts";

interface Story {
  /** Without their prefix. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Partial<PodSpec>;
  readonly seconds?: number;
}

/** What a Pod on a node reports, as `second phase [ready] containers`. */
async function tell({ annotations = {}, spec = {}, seconds = 60 }: Story): Promise<readonly string[]> {
  const { client, clock, store, stop } = await testCluster({
    nodes: 1,
    components: ["kubelet", "service-account"],
  });
  await clock.advance(1000);
  const begun = clock.now();
  const told: string[] = [];
  store.collection("pods").subscribe({ of: "all" }, (events) => {
    for (const { type, record } of events) {
      const at = `${(clock.now() - begun) / 1000}`;
      const line = type === "DELETED" ? "gone" : describePod(record.object as unknown as Pod);
      if (told.at(-1)?.slice(told.at(-1)?.indexOf(" ")) !== ` ${line}`) told.push(`${at} ${line}`);
    }
  });
  await client.create(pods, {
    metadata: {
      name: "web",
      namespace: "default",
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([key, value]) => [`sim.trimtab.dev/${key}`, value]),
      ),
    },
    spec: { nodeName: "node-1", containers: [{ name: "app", image: "nginx:1" }], ...spec },
  });
  await clock.advance(seconds * 1000);
  await stop();
  return told;
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
])("a Pod $name", async ({ story, want }) => {
  expect(await tell(story)).toEqual(want);
});
