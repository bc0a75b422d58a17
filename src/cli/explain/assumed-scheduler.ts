import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { AssumedScheduler } from "../../decisions/explain/assumed-scheduler.ts";
import type { EventRecorder } from "../../machinery/events/event-draft.ts";
import { pluginRegistry } from "../../scheduler/configuration/plugin-registry.ts";
import type { ProfileConfig } from "../../scheduler/configuration/scheduler-config.ts";
import { createProfile } from "../../scheduler/profile.ts";
import type { ObservedCluster } from "../connection/cluster-view.ts";
import { describePublished } from "../connection/embedded-configuration.ts";
import { readSchedulerConfig } from "../control-plane/read-scheduler-config.ts";
import type { ExplainSettings } from "./explain-settings.ts";

export type AssumedResult =
  | { readonly ok: true; readonly scheduler: AssumedScheduler; readonly configuration: string }
  | { readonly ok: false; readonly problems: readonly string[] };

const noEvents: EventRecorder = { record: () => undefined };

/** The scheduler that places Pods of this scheduler name: by the configuration file, as the cluster says, or by default. */
export function assumedScheduler(
  settings: Pick<ExplainSettings, "schedulerConfig" | "gates">,
  name: string,
  { isEmbedded, configuration }: Pick<ObservedCluster, "isEmbedded" | "configuration">,
): AssumedResult {
  const { schedulerConfig: file, gates } = settings;
  const published = file === undefined ? publishedProfile(settings, name, configuration) : undefined;
  if (published !== undefined) return ofCluster(published);
  const read = readSchedulerConfig(file, gates(defaultFeatureGates));
  if (!read.ok) return { ok: false, problems: read.problems };
  const { config } = read;
  const profiles = config.profiles.map(({ schedulerName }) => schedulerName);
  const own = config.profiles.find(({ schedulerName }) => schedulerName === name);
  if (own === undefined && file !== undefined)
    return {
      ok: false,
      problems: [
        `${file} has no profile for the Pod's scheduler ${name} (its profiles: ${profiles.join(", ")})`,
      ],
    };
  const [first] = config.profiles;
  const profile = own ?? first;
  if (profile === undefined) return { ok: false, problems: [`${file ?? "the default"} has no profile`] };
  const registry = pluginRegistry(config.outOfTreePlugins);
  const scheduler = createProfile({ ...profile, schedulerName: name }, { registry, events: noEvents });
  return { ok: true, scheduler, configuration: describe(file, isEmbedded) };
}

/** Returns the profile that the cluster publishes, unless a flag sets another feature gate for spreading. */
function publishedProfile(
  { gates }: Pick<ExplainSettings, "gates">,
  name: string,
  configuration: ObservedCluster["configuration"],
): ProfileConfig | undefined {
  if (configuration === undefined) return undefined;
  const { gates: there, schedulerProfiles } = configuration;
  if (gates(there).DefaultPodTopologySpread !== there.DefaultPodTopologySpread) return undefined;
  return schedulerProfiles.find(({ schedulerName }) => schedulerName === name);
}

function ofCluster(profile: ProfileConfig): AssumedResult {
  return {
    ok: true,
    scheduler: createProfile(profile, { registry: pluginRegistry(), events: noEvents }),
    configuration: describePublished([profile]),
  };
}

function describe(file: string | undefined, isEmbedded: boolean): string {
  if (file !== undefined) return `the configuration in ${file}`;
  return isEmbedded
    ? "the default configuration, which trimtab up uses without --scheduler-config"
    : "the default configuration of Kubernetes; --scheduler-config gives another";
}
