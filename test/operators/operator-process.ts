import { spawn } from "node:child_process";
import { once } from "node:events";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";

export interface OperatorProcess {
  /** Everything it has printed. */
  readonly output: () => string;
  /** How often it has ended by itself, and was started again. */
  readonly restarts: () => number;
  /** Ends it as a kubelet does. */
  readonly stop: () => Promise<void>;
}

/** A kubelet waits longer. */
const restartMs = 1000;

/** Starts a program that runs until it is stopped. Starts it again when it ends by itself, as a kubelet does. */
export function startOperator(
  program: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>>,
): OperatorProcess {
  const clock = new WallClock();
  let output = "";
  let restarts = 0;
  let isStopping = false;
  let restart = clock.after(0, () => {});
  let running = start();
  function start() {
    const child = spawn(program, flags, { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.once("close", (code) => {
      if (isStopping) return;
      output += `\n(it ended with exit code ${code ?? "none"})\n`;
      restart = clock.after(restartMs, () => {
        restarts++;
        running = start();
      });
    });
    return child;
  }
  return {
    output: () => output,
    restarts: () => restarts,
    async stop() {
      isStopping = true;
      restart.cancel();
      if (running.exitCode !== null || running.signalCode !== null) return;
      const closed = once(running, "close");
      running.kill("SIGTERM");
      await closed;
    },
  };
}
