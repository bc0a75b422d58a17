import type { JsonObject } from "../api/json.ts";
import { spreadDefaultsOf } from "../scheduler/configuration/current-config.ts";
import { publishedProfile } from "../scheduler/configuration/published-profile.ts";
import type { CompletedClusterOptions } from "./cluster-options.ts";

/** The path at which an embedded cluster serves the configuration of its controllers. */
export const configurationPath = "/debug/configuration";

/**
 * `GET /debug/configuration`: the feature gates of the controllers that remove Pods, the profiles of the scheduler, and
 * by the name of each the arguments of PodTopologySpread, `null` where it is not enabled. `trimtab explain` reads it.
 */
export function configurationEndpoint({
  gates,
  schedulerConfig,
}: Pick<CompletedClusterOptions, "gates" | "schedulerConfig">): (path: string) => JsonObject | undefined {
  const gatesNow = gates.components.replicaset ?? gates.controllers;
  return (path) => {
    if (path !== configurationPath) return undefined;
    const defaultsFor = spreadDefaultsOf(schedulerConfig);
    const podTopologySpread = Object.fromEntries(
      schedulerConfig.profiles.map(({ schedulerName }) => [
        schedulerName,
        defaultsFor(schedulerName) ?? null,
      ]),
    );
    // The arguments are plain JSON; their type does not say so.
    return {
      featureGates: gatesNow(),
      podTopologySpread,
      schedulerProfiles: schedulerConfig.profiles.map(publishedProfile),
    } as unknown as JsonObject;
  };
}
