import type { FeatureGates } from "../../api/feature-gates.ts";
import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { parseSchedulerConfig } from "../../scheduler/configuration/parse-scheduler-config.ts";
import {
  defaultSchedulerConfig,
  type SchedulerConfig,
} from "../../scheduler/configuration/scheduler-config.ts";

export type ReadSchedulerConfigFile =
  | { readonly ok: true; readonly config: SchedulerConfig; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the configuration file of the scheduler; returns all errors, one sentence each. */
export function readSchedulerConfig(file: string | undefined, gates: FeatureGates): ReadSchedulerConfigFile {
  if (file === undefined) return { ok: true, config: defaultSchedulerConfig(gates), warnings: [] };
  const read = readTextFile(file);
  if (!read.ok) return { ok: false, problems: [`${file}: ${read.reason}`] };
  const parsed = parseSchedulerConfig(read.text, { gates, file });
  if (!parsed.ok) return parsed;
  return { ...parsed, warnings: parsed.warnings.map((warning) => `${file}: ${warning}`) };
}
