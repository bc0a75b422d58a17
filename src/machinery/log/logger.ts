/** The fields of a log line. Secrets and credentials in them are never written. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Logs for operators. The message is constant, so that lines can be counted; what varies is a field. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger that adds these fields to every line. */
  with(fields: LogFields): Logger;
}

export type LogLevel = "debug" | "info" | "warn" | "error";

const nothing = () => undefined;

/** Logs nothing. */
export const silentLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  with: () => silentLogger,
};
