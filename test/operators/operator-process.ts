import { spawn } from "node:child_process";
import { once } from "node:events";

export interface OperatorProcess {
  /** Everything it has printed. */
  readonly output: () => string;
  /** Ends it as a kubelet does. */
  readonly stop: () => Promise<void>;
}

/** Starts a program that runs until it is stopped. */
export function startOperator(
  program: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>>,
): OperatorProcess {
  const child = spawn(program, flags, { env, stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close");
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  return {
    output: () => output,
    async stop() {
      child.kill("SIGTERM");
      await closed;
    },
  };
}
