import { type Logger as Pino, pino } from "pino";
import { formatMicroTime } from "../../api/time.ts";
import type { Clock } from "../clock/clock.ts";
import { loggableFields } from "./log-fields.ts";
import type { LogFields, Logger, LogLevel } from "./logger.ts";

export interface PinoLoggerOptions {
  readonly level: LogLevel;
  readonly clock: Clock;
  /** Where lines are written; absent: standard error. */
  readonly destination?: { write(line: string): void } | undefined;
}

/** Writes one line of JSON per message, from a level on; errors have stacks at level debug. */
export function pinoLogger({ level, clock, destination }: PinoLoggerOptions): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${formatMicroTime(clock.now())}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return over(pino(options, destination ?? pino.destination({ dest: 2, sync: true })), level === "debug");
}

function over(lines: Pino, stacks: boolean): Logger {
  const at = (level: LogLevel) => (message: string, fields?: LogFields) => {
    if (!lines.isLevelEnabled(level)) return;
    lines[level](fields === undefined ? {} : loggableFields(fields, { stacks }), message);
  };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => over(lines.child(loggableFields(fields, { stacks })), stacks),
  };
}
