import type { LogLevel } from "../../machinery/log/logger.ts";
import type { Flags, Invocation } from "../command.ts";
import { flagText } from "./flag-values.ts";
import { pickerFlags } from "./picker-flags.ts";

export { numberProblems, flagText } from "./flag-values.ts";

const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** The flags of every command that runs until it is interrupted and may call pod pickers. */
export function programFlags(defaultLevel: LogLevel): Flags {
  return { ...featureGatesFlag, ...pickerFlags, ...logLevelFlag(defaultLevel) };
}

export const featureGatesFlag: Flags = {
  "feature-gates": {
    type: "string",
    default: "",
    value: "A=true,B=false",
    help: "Feature gates to enable or disable",
  },
};

export function logLevelFlag(defaultLevel: LogLevel): Flags {
  return {
    "log-level": {
      type: "string",
      default: defaultLevel,
      value: "LEVEL",
      choices: logLevels,
      help: "Minimum level of log lines: debug, info, warn or error",
    },
  };
}

export type ReadLogLevel =
  | { readonly ok: true; readonly level: LogLevel }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The minimum level of log lines. */
export function readLogLevel(flags: Invocation["flags"]): ReadLogLevel {
  const level = logLevels.find((known) => known === flagText(flags, "log-level"));
  if (level !== undefined) return { ok: true, level };
  return { ok: false, problems: [`--log-level must be one of ${logLevels.join(", ")}`] };
}

/** Every port; 0: any free one. */
export const ports = { least: 0, most: 65_535 };
