import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";

const spinning = (seconds: number) => `const end = Date.now() + ${seconds * 1000}; while (Date.now() < end);`;

export interface Load {
  /** Busy programs end by themselves after this, whatever becomes of the bench. */
  readonly mostSeconds?: number;
}

/**
 * Runs something on a loaded machine: beside as many busy programs of the same priority as it has cores, each of which
 * never waits. What is measured gets about half of the machine.
 */
export async function onLoadedMachine<T>(run: () => Promise<T>, { mostSeconds = 90 }: Load = {}): Promise<T> {
  const programs = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", spinning(mostSeconds)], { stdio: "ignore" }),
  );
  try {
    await Promise.all(programs.map((program) => once(program, "spawn")));
    return await run();
  } finally {
    await Promise.all(
      programs.map(async (program) => {
        if (program.exitCode !== null || !program.kill()) return;
        await once(program, "exit");
      }),
    );
  }
}
