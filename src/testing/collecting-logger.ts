import type { LogFields, Logger, LogLevel } from "../machinery/log/logger.ts";

/** One line of a log. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** A logger that keeps its entries, for tests of what is logged. */
export interface CollectingLogger extends Logger {
  readonly entries: readonly LogEntry[];
}

/** Starts without entries. */
export function collectingLogger(): CollectingLogger {
  const entries: LogEntry[] = [];
  return { ...loggerInto(entries, {}), entries };
}

function loggerInto(entries: LogEntry[], own: LogFields): Logger {
  const at = (level: LogLevel) => (message: string, fields?: LogFields) => {
    entries.push({ level, message, fields: { ...own, ...fields } });
  };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => loggerInto(entries, { ...own, ...fields }),
  };
}
