import { simulationPrefix } from "../../cluster/kubelet/behaviour/simulation-prefix.ts";
import { keyOf } from "../../api/object.ts";
import { isActive, isReady } from "../../api/pod-state.ts";
import { pods } from "../../api/resources.ts";
import { oneOf } from "../../machinery/random/random.ts";
import type { ClusterFault } from "./cluster-fault.ts";

/** The containers of a Pod crash now, and are back after a back-off; or the Pod is evicted by its kubelet. */
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
    const restarts = pod.status?.containerStatuses?.[0]?.restartCount ?? 0;
    const annotations = isFatal
      ? { [`${simulationPrefix}evictAfter`]: "0s" }
      : { [`${simulationPrefix}crashAfter`]: "0s", [`${simulationPrefix}crashLoop`]: String(restarts + 1) };
    const { namespace, name, uid } = pod.metadata;
    const body = { metadata: { uid, annotations } };
    await cluster.client.patch(pods, { namespace, name }, { type: "merge", body });
  },
};

/** A user deletes a Pod that a controller owns. */
export const foreignDeletion: ClusterFault = {
  name: "foreign-deletion",
  async inject({ cluster, schedule, random }) {
    const pod = oneOf((await cluster.client.list(pods, {})).items, random);
    if (pod === undefined) return;
    const isForced = random.next() < 0.3;
    const { namespace = "", name } = pod.metadata;
    schedule.record("foreign-deletion", { pod: `${namespace}/${name}`, isForced });
    await cluster.client.delete(pods, pod.metadata, isForced ? { gracePeriodSeconds: 0 } : {});
  },
};
