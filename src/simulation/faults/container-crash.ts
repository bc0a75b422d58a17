import type { ContainerStatus, Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { keyOf } from "../../api/object.ts";
import { isActive, isReady } from "../../api/pod-state.ts";
import { pods } from "../../api/resources.ts";
import { formatTime } from "../../api/time.ts";
import { oneOf } from "../../machinery/random/random.ts";
import type { SimulatedCluster } from "../simulated-cluster.ts";
import type { ClusterFault } from "./cluster-fault.ts";

/**
 * A container crashes, and is back after a while or takes its Pod with it. The kubelet does not simulate crashes,
 * so the fault writes the status a real one would.
 */
export const containerCrash: ClusterFault = {
  name: "container-crash",
  async inject({ cluster, schedule, random }) {
    const running = (await cluster.client.list(pods, {})).items.filter(
      (pod) => isActive(pod) && isReady(pod),
    );
    const pod = oneOf(running, random);
    if (pod === undefined) return;
    const isFatal = random.next() < 0.3;
    schedule.record("container-crash", { pod: keyOf(pod), isFatal });
    await report(cluster, pod, isFatal ? evicted : crashed(pod, cluster.clock.now()));
    if (isFatal) return;
    await schedule.pause(schedule.duration(1000, 60_000));
    await report(cluster, pod, restarted(pod, cluster.clock.now()));
  },
};

const evicted: JsonObject = {
  phase: "Failed",
  reason: "Evicted",
  message: "The node was low on resource: memory.",
};

function crashed(pod: Pod, now: number): JsonObject {
  const waiting = { reason: "CrashLoopBackOff", message: "back-off restarting failed container" };
  return statusWith(pod, now, { isReady: false, state: { waiting } });
}

function restarted(pod: Pod, now: number): JsonObject {
  return statusWith(pod, now, { isReady: true, state: { running: { startedAt: formatTime(now) } } });
}

function statusWith(
  pod: Pod,
  now: number,
  { isReady: ready, state }: { readonly isReady: boolean; readonly state: JsonObject },
): JsonObject {
  const lastTransitionTime = formatTime(now);
  const condition = (type: string) => ({ type, status: ready ? "True" : "False", lastTransitionTime });
  const containerStatuses = (pod.status?.containerStatuses ?? []).map((container) => ({
    ...asJson(container),
    ready,
    restartCount: container.restartCount + 1,
    state,
  }));
  return { containerStatuses, conditions: [condition("ContainersReady"), condition("Ready")] };
}

const asJson = (status: ContainerStatus) => status as unknown as JsonObject;

/** Writes the status, unless the Pod is gone or another one has its name. */
async function report({ client }: SimulatedCluster, pod: Pod, status: JsonObject): Promise<void> {
  const { namespace, name, uid } = pod.metadata;
  const live = await client.get(pods, { namespace, name });
  if (!isActive(live) || live.metadata.uid !== uid) return;
  const body = { metadata: { uid }, status };
  await client.patch(pods, { namespace, name }, { type: "strategic", body, subresource: "status" });
}
