import type { FeatureGates } from "../../api/feature-gates.ts";
import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { parseSchedulerConfig } from "../../scheduler/configuration/parse-scheduler-config.ts";
import {
  defaultSchedulerConfig,
  type SchedulerConfig,
} from "../../scheduler/configuration/scheduler-config.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { Counter, Metrics } from "../../machinery/metrics/metrics.ts";
import type { CurrentConfig } from "../../scheduler/configuration/current-config.ts";

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

interface ReloadOptions {
  /** Absent: there is nothing to read again. */
  readonly file: string | undefined;
  readonly gates: FeatureGates;
  readonly current: CurrentConfig;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Makes a function that reads the configuration file again; a file with mistakes leaves the configuration as it is. */
export function reloadSchedulerConfig({ file, gates, current, log, metrics }: ReloadOptions): () => void {
  const reloads = reloadCounter(metrics);
  return () => {
    if (file === undefined) return log.warn("there is no configuration file to read again");
    const read = readSchedulerConfig(file, gates);
    reloads.increase({ result: read.ok ? "applied" : "refused" });
    if (!read.ok) {
      const problems = read.problems.join("; ");
      return log.error("the configuration has mistakes, and the old one is kept", { problems });
    }
    for (const warning of read.warnings)
      log.warn("the configuration has something without effect", { warning });
    current.replace(read.config);
    log.info("the configuration was read again", { file });
  };
}

/** Counts how often the configuration was read again. */
export function reloadCounter(metrics: Metrics): Counter<"result"> {
  const reloads = metrics.counter({
    name: "trimtab_scheduler_config_reloads_total",
    help: "Times the configuration file was read again, by result.",
    labels: ["result"],
  });
  for (const result of ["applied", "refused"]) reloads.increase({ result }, 0);
  return reloads;
}
