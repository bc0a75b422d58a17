import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { completeKubectl, type KubectlIo, runKubectl } from "../../kubectl/index.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { type Command, reportErrors, type Terminal } from "../command.ts";
import { findInspectedCluster } from "../connection/inspected-cluster.ts";
import { clientOf } from "../connection/run-on-cluster.ts";
import { takeClusterWords } from "../kubectl/cluster-words.ts";
import { editInEditor } from "../kubectl/edit-in-editor.ts";
import { lineWriter } from "../kubectl/line-writer.ts";

/** Runs another command of this program. */
export type RunTrimtab = (words: readonly string[], terminal: Terminal) => Promise<number>;

/** The verbs of kubectl, for people who have none. */
export function kubectlOf(runTrimtab: RunTrimtab): Command {
  const kubectl: Command = {
    name: "kubectl",
    summary: "The verbs of kubectl, for those who have none: trimtab kubectl get pods.",
    operands: "WORDS",
    flags: {},
    readsOwnWords: true,
    async completeWords(words, signal) {
      const { words: line, flags } = takeClusterWords(words);
      const found = findInspectedCluster(flags);
      if (!found.ok) return [];
      const clock = new WallClock();
      const client = await clientOf(found.connection, { command: kubectl, clock });
      const open: KubectlIo["open"] = (request, each) => client.open(request, each);
      const silent = () => undefined;
      try {
        return await completeKubectl(line, {
          open,
          out: silent,
          err: silent,
          clock,
          signal,
          namespace: found.namespace,
        });
      } finally {
        await client.close();
      }
    },
    async run({ words: typed = [] }, terminal) {
      const { words, flags } = takeClusterWords(typed);
      const found = findInspectedCluster(flags);
      if (!found.ok) return reportErrors(terminal, kubectl, found.problems);
      const clock = new WallClock();
      const client = await clientOf(found.connection, { command: kubectl, clock });
      const [out, err] = [lineWriter(terminal.out, terminal.write), lineWriter(terminal.err)];
      try {
        return await runKubectl(words, {
          open: (request, signal) => client.open(request, signal),
          out: out.write,
          err: err.write,
          clock,
          signal: terminal.interrupted,
          namespace: found.namespace,
          readFile: readManifest,
          edit: (shown) => Promise.resolve(editInEditor(shown, process.env)),
          trimtab: (others) => runTrimtab(others, terminal),
        });
      } finally {
        out.end();
        err.end();
        await client.close();
      }
    },
  };
  return kubectl;
}

async function readManifest(name: string): Promise<string> {
  if (name === "-") return text(process.stdin);
  try {
    return await readFile(name, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Error(`the path ${JSON.stringify(name)} does not exist`, { cause: error });
  }
}
