import { pods } from "../../api/resources.ts";
import { oneOf } from "../../machinery/random/random.ts";
import type { ClusterFault } from "./cluster-fault.ts";

/** Somebody deletes a Pod that is none of his. */
export const foreignDeletion: ClusterFault = {
  name: "foreign-deletion",
  async inject({ world, weather, random }) {
    const pod = oneOf((await world.client.list(pods, {})).items, random);
    if (pod === undefined) return;
    const isForced = random.next() < 0.3;
    const { namespace = "", name } = pod.metadata;
    weather.record("foreign-deletion", { pod: `${namespace}/${name}`, isForced });
    await world.client.delete(pods, pod.metadata, isForced ? { gracePeriodSeconds: 0 } : {});
  },
};
