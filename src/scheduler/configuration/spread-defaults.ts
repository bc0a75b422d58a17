import { podTopologySpreadEntry } from "../../decisions/placement/pod-topology-spread/plugin.ts";
import type { DefaultsByScheduler } from "../../decisions/spread/spread-of.ts";
import { defaultSchedulerName } from "../scheduler-name.ts";
import type { SchedulerConfig } from "./scheduler-config.ts";

/** The arguments of PodTopologySpread by the name of a profile; `undefined` where it neither scores nor filters. */
export function spreadDefaultsOf({ profiles }: Pick<SchedulerConfig, "profiles">): DefaultsByScheduler {
  const enabled = profiles.filter(({ plugins: { at } }) =>
    [...at.filter, ...at.score].includes(podTopologySpreadEntry.name),
  );
  const argsByName = new Map(
    enabled.map(({ schedulerName, args }) => [schedulerName, args.PodTopologySpread]),
  );
  return (schedulerName = defaultSchedulerName) => argsByName.get(schedulerName);
}
