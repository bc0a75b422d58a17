import { humanDuration } from "../../api/duration.ts";
import { type Instant, parseTime } from "../../api/time.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import type { Command } from "../command.ts";
import { listClusters, type NamedCluster } from "../named-clusters/named-cluster.ts";

export const list: Command = {
  name: "list",
  summary: "List the clusters of trimtab up on this machine.",
  flags: {
    json: { type: "boolean", help: "Print JSON for programs" },
  },
  async run({ flags }, terminal) {
    const clusters = listClusters(process.env);
    if (flags["json"] === true) terminal.out(JSON.stringify(clusters.map(summaryOf), undefined, 2));
    else if (clusters.length === 0) terminal.err("no clusters: trimtab up --name NAME starts one");
    else terminal.out(table(clusters, new WallClock().now()));
    return 0;
  },
};

/** Returns what `--json` shows of a cluster. */
function summaryOf(cluster: NamedCluster): object {
  const { name, state } = cluster;
  const { pid, url, kubeconfig, context, nodes, startedAt, dataDirectory, log } =
    (cluster.state === "starting" ? undefined : cluster.record) ?? {};
  return { name, state, pid, url, kubeconfig, context, nodes, startedAt, dataDirectory, log };
}

function table(clusters: readonly NamedCluster[], now: Instant): string {
  const rows = [["NAME", "STATE", "AGE", "URL", "NODES"], ...clusters.map((cluster) => row(cluster, now))];
  const widths =
    rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? [];
  const line = (cells: readonly string[]) =>
    cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join("   ");
  return rows.map((cells) => line(cells).trimEnd()).join("\n");
}

function row(cluster: NamedCluster, now: Instant): readonly string[] {
  const { name, state } = cluster;
  const record = cluster.state === "starting" ? undefined : cluster.record;
  const startedAt = parseTime(record?.startedAt);
  const isRunning = state === "running" && startedAt !== undefined;
  return [
    name,
    state,
    isRunning ? humanDuration(now - startedAt) : "",
    record?.url ?? "",
    record?.nodes ?? "",
  ];
}
