import { deletionCostAnnotation } from "../../src/api/deletion-cost.ts";
import type { Pod, PodTemplateSpec } from "../../src/api/generated/core-v1.ts";
import type { JsonObject } from "../../src/api/json.ts";
import { pods } from "../../src/api/resources.ts";
import { formatTime } from "../../src/api/time.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { done } from "../../src/machinery/controller.ts";
import type { PodProcesses } from "./kubelet-stand-in.ts";

const clock = new WallClock();
const staged = { "run-by": "test" };

/** Leaves staged Pods to the test: no container starts, and none becomes ready by itself. */
export const stagedPods: PodProcesses = {
  runs: ({ metadata }) => metadata.labels?.["run-by"] === staged["run-by"],
  sync: () => Promise.resolve(done),
  stop: () => Promise.resolve(),
};

/** A template whose Pods get no node and no status but those that a test gives them, and that go at once. */
export function stagedTemplate(labels: Readonly<Record<string, string>>, image = "web:1"): PodTemplateSpec {
  return {
    metadata: { labels: { ...labels, ...staged } },
    spec: {
      containers: [{ name: "web", image }],
      schedulerName: "test",
      terminationGracePeriodSeconds: 0,
    },
  };
}

/** What a Pod is to be like. */
export interface PodState {
  /** Absent: it gets none, and stays Pending. */
  readonly node?: string;
  /** Absent: Running. */
  readonly phase?: "Pending" | "Unknown";
  /** For how long it has been ready; absent: it is not. */
  readonly readySeconds?: number;
  readonly restarts?: number;
  readonly cost?: string;
}

/** Makes a Pod what it is to be like. */
export async function stage(client: Client, { metadata }: Pod, state: PodState): Promise<void> {
  const at = { namespace: metadata.namespace ?? "", name: metadata.name };
  if (state.cost !== undefined) {
    const annotations = { [deletionCostAnnotation]: state.cost };
    await client.patch(pods, at, { type: "merge", body: { metadata: { annotations } } });
  }
  if (state.node === undefined) return;
  await client.bind(at, { uid: metadata.uid, target: { kind: "Node", name: state.node } });
  const body = { status: statusOf(state) };
  await client.patch(pods, at, { type: "strategic", body, subresource: "status" });
}

function statusOf({ phase, readySeconds, restarts = 0 }: PodState): JsonObject {
  const since = formatTime(clock.now() - (readySeconds ?? 0) * 1000);
  const isReady = readySeconds !== undefined;
  return {
    phase: phase ?? "Running",
    conditions: [{ type: "Ready", status: isReady ? "True" : "False", lastTransitionTime: since }],
    containerStatuses: [
      { name: "web", image: "web:1", imageID: "web", ready: isReady, restartCount: restarts },
    ],
  };
}
