import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../clock/clock.ts";

/** How long a client may take to read what was written. */
const drainTimeoutMs = 30_000;

/**
 * Waits until the socket has taken what was written; `false` when the client has disconnected. A client that does not
 * read is disconnected, since what it does not read stays in memory.
 */
export function waitForDrain(response: ServerResponse | Socket, clock: Clock): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  if (!response.writableNeedDrain) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = clock.after(drainTimeoutMs, () => response.destroy());
    const settle = (isConnected: boolean) => {
      timer.cancel();
      response.off("drain", onDrain);
      response.off("close", onClose);
      resolve(isConnected);
    };
    const onDrain = () => settle(true);
    const onClose = () => settle(false);
    response.on("drain", onDrain);
    response.on("close", onClose);
  });
}
