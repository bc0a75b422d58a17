import type { ServerResponse } from "node:http";
import type { Clock } from "../../../../machinery/clock/clock.ts";

/** How long a client may take to read what it was sent. */
const drainTimeoutMs = 30_000;

/**
 * Waits until what was written is on its way; `false` when the client is gone. One that does not read is cut off:
 * what it does not take would pile up here.
 */
export function waitForDrain(response: ServerResponse, clock: Clock): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  if (!response.writableNeedDrain) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = clock.after(drainTimeoutMs, () => response.destroy());
    const settle = (isAlive: boolean) => {
      timer.cancel();
      response.off("drain", onDrain);
      response.off("close", onClose);
      resolve(isAlive);
    };
    const onDrain = () => settle(true);
    const onClose = () => settle(false);
    response.on("drain", onDrain);
    response.on("close", onClose);
  });
}
