import { formatMicroTime } from "../../api/time.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { loggableFields } from "../../machinery/log/log-fields.ts";
import type { LogFields, Logger, LogLevel } from "../../machinery/log/logger.ts";

const writeToStandardError = (line: string) => void process.stderr.write(line);

/** One line of JSON per message from level info on; errors have their stacks, because the author reads them. */
export function lineLogger(
  clock: Clock,
  write: (line: string) => void = writeToStandardError,
  own: LogFields = {},
): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      const time = formatMicroTime(clock.now());
      const loggable = loggableFields({ ...own, ...fields }, { stacks: true });
      write(`${JSON.stringify({ level, time, msg: message, ...loggable })}\n`);
    };
  return {
    debug: () => undefined,
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => lineLogger(clock, write, { ...own, ...fields }),
  };
}
