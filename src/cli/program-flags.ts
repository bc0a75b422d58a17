import type { LogLevel } from "../machinery/log/logger.ts";
import type { Flags, Invocation } from "./command.ts";
import { pickerFlags } from "./picker-flags.ts";

/** The flags of every command that runs until it is told to end. */
export function programFlags(usualLevel: LogLevel): Flags {
  return {
    "feature-gates": {
      type: "string",
      default: "",
      value: "A=true,B=false",
      help: "Features to switch on or off",
    },
    ...pickerFlags,
    "log-level": { type: "string", default: usualLevel, value: "LEVEL", help: "debug, info, warn or error" },
  };
}

const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

export type ReadLogLevel =
  | { readonly ok: true; readonly level: LogLevel }
  | { readonly ok: false; readonly problems: readonly string[] };

/** From which level on a program says what it does. */
export function readLogLevel(flags: Invocation["flags"]): ReadLogLevel {
  const level = logLevels.find((known) => known === textOf(flags, "log-level"));
  if (level !== undefined) return { ok: true, level };
  return { ok: false, problems: [`--log-level must be one of ${logLevels.join(", ")}`] };
}

/** What a flag says; nothing when it is not given. */
export function textOf(flags: Invocation["flags"], name: string): string {
  return String(flags[name] ?? "");
}

/** What is wrong with a flag that has to be a whole number. */
export function numberProblems(
  flags: Invocation["flags"],
  name: string,
  { least, most }: { readonly least: number; readonly most: number },
): readonly string[] {
  const text = textOf(flags, name);
  const isWithin = /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
  return isWithin ? [] : [`--${name} must be a number from ${least} to ${most}`];
}

/** Every port there is; 0: any that is free. */
export const ports = { least: 0, most: 65_535 };
