import { existsSync } from "node:fs";
import { messageOf } from "../../api/message-of.ts";
import { emptyDataDirectory } from "../../cluster/data-directory/open-data-directory.ts";
import { type Command, reportErrors } from "../command.ts";
import { chooseCluster, type ClusterRecord, type NamedCluster } from "../named-clusters/named-cluster.ts";
import { startInBackground } from "../named-clusters/start-in-background.ts";
import { stopNamedCluster } from "../named-clusters/stop-cluster.ts";

export const reset: Command = {
  name: "reset",
  summary: "Start a cluster in the background anew, without the objects it has.",
  operands: "NAME",
  operandChoices: [],
  flags: {},
  async run({ arguments: names }, terminal) {
    const found = chooseCluster(names, process.env);
    if (!found.ok) return reportErrors(terminal, reset, [found.problem]);
    const record = resettable(found.cluster);
    if (typeof record === "string") return reportErrors(terminal, reset, [record]);
    const problem = await stopNamedCluster(found.cluster, terminal.interrupted);
    if (problem !== undefined) return reportErrors(terminal, reset, [problem]);
    try {
      if (record.dataDirectory !== undefined) emptyDataDirectory(record.dataDirectory);
    } catch (error) {
      return reportErrors(terminal, reset, [messageOf(error)]); // the boundary of the command
    }
    const { name, workingDirectory } = record;
    const started = await startInBackground(name, wordsOf(record), { ...terminal, workingDirectory });
    if (!started.ok)
      return reportErrors(terminal, reset, [
        ...started.errors,
        `the cluster ${name} is stopped; it was started in ${workingDirectory} by: trimtab up ${record.words.join(" ")}`,
      ]);
    terminal.out(started.text);
    return 0;
  },
};

/** Returns the record to start a cluster again from, or why it cannot be reset. */
function resettable(cluster: NamedCluster): ClusterRecord | string {
  const { name } = cluster;
  if (cluster.state === "starting") return `the cluster ${name} is not ready yet`;
  if (cluster.record === undefined)
    return `how the cluster ${name} was started is not known: trimtab stop ${name}`;
  if (cluster.state === "running" && cluster.record.log === undefined)
    return `the cluster ${name} runs in a terminal (process ${cluster.owner.pid}): end it there and start it again`;
  const { workingDirectory } = cluster.record;
  if (!existsSync(workingDirectory))
    return `the cluster ${name} was started in ${workingDirectory}, which is gone: it could not be started again`;
  return cluster.record;
}

/** Repeats the command with the same port, so that clients keep their connection settings. */
function wordsOf({ words, url }: ClusterRecord): readonly string[] {
  const port = `--port=${new URL(url).port}`;
  const others = words.filter((word) => word !== port);
  // Of several ports the last counts, and behind `--` there are only manifests.
  const end = others.indexOf("--");
  return end === -1 ? [...others, port] : others.toSpliced(end, 0, port);
}
