import { defaultFeatureGates, type FeatureGates } from "../../api/feature-gates.ts";
import { isJsonObject } from "../../api/json.ts";
import type { PodTopologySpreadArgs } from "../../decisions/placement/pod-topology-spread/args.ts";
import type { DefaultsByScheduler } from "../../decisions/spread/spread-of.ts";
import { pluginRegistry } from "../../scheduler/configuration/plugin-registry.ts";
import { readPublishedProfiles } from "../../scheduler/configuration/published-profile.ts";
import type { ProfileConfig } from "../../scheduler/configuration/scheduler-config.ts";
import { defaultSchedulerName } from "../../scheduler/scheduler-name.ts";

/** How the controllers of an embedded cluster decide, as it says itself. */
export interface EmbeddedConfiguration {
  readonly gates: FeatureGates;
  readonly spreadDefaults: DefaultsByScheduler;
  readonly schedulerProfiles: readonly ProfileConfig[];
}

/** Reads what `/debug/configuration` answers; `undefined` where it answers something else, or is not served. */
export function readEmbeddedConfiguration(
  answer: Readonly<Record<string, unknown>>,
): EmbeddedConfiguration | undefined {
  const { featureGates, podTopologySpread, schedulerProfiles } = answer;
  if (!isJsonObject(featureGates) || !isJsonObject(podTopologySpread)) return undefined;
  const known = Object.keys(defaultFeatureGates)
    .map((name) => [name, featureGates[name]] as const)
    .filter(([, isOn]) => typeof isOn === "boolean");
  return {
    gates: { ...defaultFeatureGates, ...(Object.fromEntries(known) as Partial<FeatureGates>) },
    // The API server of the same program wrote them.
    spreadDefaults: (name = defaultSchedulerName) =>
      (podTopologySpread[name] ?? undefined) as unknown as PodTopologySpreadArgs | undefined,
    schedulerProfiles: readPublishedProfiles(schedulerProfiles),
  };
}

/** Says where these profiles are from, and which of their plugins only the program that runs the cluster has. */
export function describePublished(profiles: readonly ProfileConfig[]): string {
  const registry = pluginRegistry();
  const enabled = new Set(profiles.flatMap(({ plugins }) => Object.values(plugins.at).flat()));
  const missing = [...enabled].filter((plugin) => registry.find(plugin) === undefined);
  const without = missing.length === 0 ? "" : `, but without its plugins ${missing.join(", ")}`;
  return `the configuration that the cluster says it has${without}`;
}
