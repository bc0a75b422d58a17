import type { Fields, Logger, LogLevel } from "../machinery/log/logger.ts";

/** One thing a logger was told. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Fields;
}

/** A logger that remembers, for tests that look at what operators are told. */
export interface CollectingLogger extends Logger {
  readonly entries: readonly LogEntry[];
}

/** Starts with nothing told. */
export function collectingLogger(): CollectingLogger {
  const entries: LogEntry[] = [];
  return { ...telling(entries, {}), entries };
}

function telling(entries: LogEntry[], own: Fields): Logger {
  const at = (level: LogLevel) => (message: string, fields?: Fields) => {
    entries.push({ level, message, fields: { ...own, ...fields } });
  };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => telling(entries, { ...own, ...fields }),
  };
}
