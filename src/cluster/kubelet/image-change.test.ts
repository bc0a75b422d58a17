import { expect, onTestFinished, test } from "vitest";
import type { ContainerStatus, Pod } from "../../api/generated/core-v1.ts";
import { isReady } from "../../api/pod-state.ts";
import { events, pods } from "../../api/resources.ts";
import { testCluster } from "../../testing/test-cluster.ts";

const web = { namespace: "default", name: "web" };

interface Given {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly image?: string;
}

/** A Pod of two containers that has run for five seconds, as `kubectl set image pod/web app=…` meets it. */
async function runningPod({ annotations = {}, image = "app:1" }: Given = {}) {
  const { client, clock, stop } = await testCluster({
    nodes: 1,
    components: ["kubelet", "service-account"],
  });
  onTestFinished(stop);
  await clock.advance(1000);
  const containers = [
    { name: "app", image, imagePullPolicy: "Always" },
    { name: "log", image: "log:1" },
  ];
  await client.create(pods, {
    metadata: { ...web, annotations },
    spec: { nodeName: "node-1", restartPolicy: "OnFailure", containers },
  });
  await clock.advance(5000);
  return {
    clock,
    setImage: async (name: string, wanted: string) => {
      const body = { spec: { containers: [{ name, image: wanted }] } };
      await client.patch(pods, web, { type: "strategic", body });
      await clock.advance(1000);
    },
    described: async () => describePod(await client.get(pods, web)),
    said: async () => {
      const { items } = await client.list(events, { namespace: "default" });
      return items.map(({ reason, message }) => `${reason}: ${message}`);
    },
  };
}

function describePod(pod: Pod): string {
  const statuses = (pod.status?.containerStatuses ?? []).map(describeStatus);
  return [pod.status?.phase, ...(isReady(pod) ? ["ready"] : []), ...statuses].join(" ");
}

function describeStatus({ name, image, state, lastState, restartCount }: ContainerStatus): string {
  const now = state?.running === undefined ? state?.waiting?.reason : "running";
  const last = lastState?.terminated === undefined ? "" : ` after exit ${lastState.terminated.exitCode}`;
  return `${name}:${image}:${now}${last} x${restartCount}`;
}

const forever = { "sim.trimtab.dev/completeAfter": "1h" };

test("a container that is given another image is started again with it, and the others run on", async () => {
  const { setImage, described, said } = await runningPod({ annotations: forever });
  const before = await said();
  await setImage("app", "app:2");
  expect(await described()).toBe("Running ready app:app:2:running after exit 0 x1 log:log:1:running x0");
  expect((await said()).filter((each) => !before.includes(each))).toEqual([
    "Killing: Container app definition changed, will be restarted",
    'Pulling: Pulling image "app:2"',
    'Pulled: Successfully pulled image "app:2" in 0s (0s including waiting). Image size: 0 bytes.',
  ]);
});

test("a container counts each image it is given, and a crash after that", async () => {
  const crashing = { "sim.trimtab.dev/crashAfter": "20s", "sim.trimtab.dev/crashLoop": "true" };
  const { clock, setImage, described } = await runningPod({ annotations: crashing });
  await setImage("app", "app:2");
  await setImage("app", "app:3");
  expect(await described()).toBe("Running ready app:app:3:running after exit 0 x2 log:log:1:running x0");
  await clock.advance(20_000);
  expect(await described()).toContain("app:app:3:CrashLoopBackOff after exit 1 x3");
});

test("a Pod whose image cannot be pulled starts at once with another one", async () => {
  const { setImage, described } = await runningPod({ image: "app:404", annotations: forever });
  expect(await described()).toBe("Pending app:app:404:ErrImagePull x0 log:log:1:ContainerCreating x0");
  await setImage("app", "app:2");
  expect(await described()).toBe("Running ready app:app:2:running x0 log:log:1:running x0");
});

test("a running Pod stays so while the new image of a container cannot be pulled", async () => {
  const { setImage, described } = await runningPod({ annotations: forever });
  await setImage("app", "app:404");
  expect(await described()).toBe("Running app:app:404:ErrImagePull after exit 0 x1 log:log:1:running x0");
  await setImage("app", "app:2");
  expect(await described()).toBe("Running ready app:app:2:running after exit 0 x1 log:log:1:running x0");
});

test("a Pod that waits for its restart after a crash starts at once with another image", async () => {
  const { setImage, described } = await runningPod({
    annotations: { "sim.trimtab.dev/crashAfter": "1s", ...forever },
  });
  expect(await described()).toContain("app:app:1:CrashLoopBackOff after exit 1 x1");
  await setImage("app", "app:2");
  expect(await described()).toContain("app:app:2:running after exit 1 x1");
});
