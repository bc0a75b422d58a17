import { expect, test } from "vitest";
import type { Container, ContainerStatus } from "../../api/generated/core-v1.ts";
import { pods } from "../../api/resources.ts";
import { testCluster } from "../../testing/test-cluster.ts";

const web = { namespace: "default", name: "web" };

interface Given {
  readonly initContainers: readonly Container[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly want: string;
}

test.for<readonly [string, Given]>([
  [
    "runs its second init container was killed there",
    {
      initContainers: [
        { name: "first", image: "busybox" },
        { name: "migrate", image: "busybox", command: ["sleep", "60"] },
        { name: "last", image: "busybox" },
      ],
      want: "DeadlineExceeded first:Completed(0) migrate:Error(137) last:PodInitializing app:PodInitializing",
    },
  ],
  [
    "waits to run its init container again keeps how that ended",
    {
      initContainers: [{ name: "migrate", image: "busybox" }],
      annotations: { "sim.trimtab.dev/initExitCode": "2" },
      want: "DeadlineExceeded migrate:Error(2) app:PodInitializing",
    },
  ],
])("a Pod whose deadline passes while it %s", async ([, { initContainers, annotations = {}, want }]) => {
  const { client, clock, stop } = await testCluster({ nodes: 1, components: ["kubelet", "service-account"] });
  await clock.advance(1000);
  await client.create(pods, {
    metadata: { ...web, annotations },
    spec: {
      nodeName: "node-1",
      activeDeadlineSeconds: 5,
      initContainers,
      containers: [{ name: "app", image: "nginx:1" }],
    },
  });
  await clock.advance(6000);
  const {
    phase,
    reason,
    initContainerStatuses = [],
    containerStatuses = [],
  } = (await client.get(pods, web)).status ?? {};
  expect(phase).toBe("Failed");
  expect([reason, ...[...initContainerStatuses, ...containerStatuses].map(describeStatus)].join(" ")).toBe(
    want,
  );
  await stop();
});

function describeStatus({ name, state }: ContainerStatus): string {
  const { terminated, waiting } = state ?? {};
  return `${name}:${terminated === undefined ? waiting?.reason : `${terminated.reason}(${terminated.exitCode})`}`;
}
