import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { AssumedScheduler } from "../../decisions/explain/assumed-scheduler.ts";
import type { EventRecorder } from "../../machinery/events/event-draft.ts";
import { pluginRegistry } from "../../scheduler/configuration/plugin-registry.ts";
import { createProfile } from "../../scheduler/profile.ts";
import { readSchedulerConfig } from "../control-plane/read-scheduler-config.ts";
import type { ExplainSettings } from "./explain-settings.ts";

export type AssumedResult =
  | { readonly ok: true; readonly scheduler: AssumedScheduler; readonly configuration: string }
  | { readonly ok: false; readonly problems: readonly string[] };

const noEvents: EventRecorder = { record: () => undefined };

/** The scheduler that places Pods of this scheduler name, by the configuration file or without one. */
export function assumedScheduler(
  { schedulerConfig: file, gates }: Pick<ExplainSettings, "schedulerConfig" | "gates">,
  { name, isEmbedded }: { readonly name: string; readonly isEmbedded: boolean },
): AssumedResult {
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

function describe(file: string | undefined, isEmbedded: boolean): string {
  if (file !== undefined) return `the configuration in ${file}`;
  return isEmbedded
    ? "the default configuration, which trimtab up uses without --scheduler-config"
    : "the default configuration of Kubernetes; --scheduler-config gives another";
}
