import path from "node:path";
import type { Detached, Terminal } from "../command.ts";
import { clusterFolder, findCluster } from "./named-cluster.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a cluster in the background writes its log lines. */
export function logFile(name: string, env: Environment): string {
  return path.join(clusterFolder(name, env), "log");
}

/** Starts a cluster in the background by the words of `trimtab up`; resolves when it is ready or has failed. */
export async function startInBackground(
  name: string,
  words: readonly string[],
  terminal: Pick<Terminal, "detach" | "interrupted"> & { readonly workingDirectory?: string },
): Promise<Detached> {
  if (terminal.detach === undefined)
    return { ok: false, errors: ["this program cannot run in the background"] };
  const running = findCluster(name, process.env);
  if (running !== undefined && running.state !== "ended") {
    const why = `process ${running.owner.pid} runs it already`;
    return { ok: false, errors: [`cannot start the cluster ${name}: ${why}`] };
  }
  const log = logFile(name, process.env);
  const started = await terminal.detach(words, {
    log,
    workingDirectory: terminal.workingDirectory ?? process.cwd(),
    signal: terminal.interrupted,
  });
  if (started.ok) return started;
  // The errors of the program begin with the name of the command, which is added again.
  const errors = started.errors.map((error) => error.replace(/^trimtab up: /, ""));
  return { ok: false, errors: errors.length > 0 ? errors : [`it has ended before it was ready: ${log}`] };
}
