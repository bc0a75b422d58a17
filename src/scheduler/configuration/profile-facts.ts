import type { JsonObject } from "../../api/json.ts";
import type { SchedulerConfig } from "./scheduler-config.ts";

/** The profiles of a scheduler as plain data, as the page is told them. */
export function profileFacts({ profiles }: SchedulerConfig) {
  return profiles.map(({ schedulerName, percentageOfNodesToScore, plugins: { at, weights }, args }) => ({
    schedulerName,
    percentageOfNodesToScore,
    plugins: at,
    weights: Object.fromEntries(weights),
    // Arguments are decoded from JSON, and out-of-tree plugins have JSON for theirs too.
    args: args as JsonObject,
  }));
}
