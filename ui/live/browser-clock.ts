import { WallClock } from "../../src/machinery/clock/wall-clock.ts";

const channel = new MessageChannel();
const turns: (() => void)[] = [];
channel.port1.addEventListener("message", () => turns.shift()?.());
channel.port1.start();

/** Runs a task once the browser has handled input and frames that are due. */
function afterTurn(task: () => void): void {
  turns.push(task);
  channel.port2.postMessage(undefined);
}

/** The clock of the browser; the only place of the page that reads the time. */
export const browserClock = new WallClock({
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimeout: (task, delayMs) => window.setTimeout(task, Math.ceil(delayMs)),
  clearTimeout: (handle) => window.clearTimeout(handle as number),
  setImmediate: afterTurn,
});
