import { pods } from "../../api/resources.ts";
import { oneOf } from "../../machinery/random/random.ts";
import type { ClusterFault } from "./cluster-fault.ts";

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
