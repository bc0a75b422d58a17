/** What a log line says besides its message. Secrets and credentials in it are never written out. */
export type Fields = Readonly<Record<string, unknown>>;

/** Tells operators what happens. The message is constant, so that lines can be counted; what varies is a field. */
export interface Logger {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  /** A logger that adds these fields to every line. */
  with(fields: Fields): Logger;
}

export type LogLevel = "debug" | "info" | "warn" | "error";

const nothing = () => undefined;

/** Tells nobody. */
export const silentLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  with: () => silentLogger,
};
