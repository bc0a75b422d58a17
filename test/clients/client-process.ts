import { execFile, spawn } from "node:child_process";
import { onTestFinished } from "vitest";

/** A program of test/clients with the environment it needs, the kubeconfig among it. */
export interface ClientProgram {
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export interface Finished {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a program to its end. */
export function runClient({ command, env }: ClientProgram, ...words: readonly string[]): Promise<Finished> {
  const [program = "", ...prefix] = command;
  return new Promise((resolve) => {
    execFile(program, [...prefix, ...words], { env, maxBuffer: 2 ** 26 }, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, out, err });
    });
  });
}

/** Starts a program that runs until the test ends; the function it returns resolves with whole lines when this was printed. */
export function startClient({ command, env }: ClientProgram, ...words: readonly string[]) {
  const [program = "", ...prefix] = command;
  const child = spawn(program, [...prefix, ...words], { env });
  onTestFinished(() => void child.kill());
  let printed = "";
  let complaints = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text));
  return (wanted: string): Promise<string> =>
    new Promise((resolve, reject) => {
      // A line may arrive in parts.
      const look = () => {
        const lines = printed.slice(0, printed.lastIndexOf("\n") + 1);
        if (lines.includes(wanted)) resolve(lines);
      };
      child.stdout.on("data", look);
      child.once("close", () => reject(new Error(`it ended without ${wanted}: ${printed}${complaints}`)));
      look();
    });
}
