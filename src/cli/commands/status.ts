import { loadKubeconfig } from "../../machinery/client/connection/kubeconfig.ts";
import { type Command, reportErrors } from "../command.ts";
import { askForTime, describeTime } from "../named-clusters/cluster-time.ts";
import { chooseCluster, type ClusterRecord, type NamedCluster } from "../named-clusters/named-cluster.ts";

export const status: Command = {
  name: "status",
  summary: "Show a cluster of trimtab up; exit code 1 when it does not answer.",
  operands: "NAME",
  operandChoices: [],
  flags: {},
  async run({ arguments: names }, terminal) {
    const found = chooseCluster(names, process.env);
    if (!found.ok) return reportErrors(terminal, status, [found.problem]);
    const { cluster } = found;
    const asked = await timeOf(cluster, terminal.interrupted);
    terminal.out(describe(cluster, asked));
    return asked.isAnswered ? 0 : 1;
  },
};

interface Answer {
  readonly isAnswered: boolean;
  readonly time: string;
}

async function timeOf(cluster: NamedCluster, signal: AbortSignal): Promise<Answer> {
  if (cluster.state !== "running") return { isAnswered: false, time: "" };
  const loaded = loadKubeconfig({ paths: [cluster.record.kubeconfig] });
  if (!loaded.ok) return { isAnswered: false, time: loaded.errors.join("; ") };
  const asked = await askForTime(loaded.connection, signal);
  return asked.ok
    ? { isAnswered: true, time: describeTime(asked.time) }
    : { isAnswered: false, time: `no answer: ${asked.problem}` };
}

function describe(cluster: NamedCluster, { time }: Answer): string {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Name", cluster.name],
    ["State", stateOf(cluster)],
    ...(cluster.state === "starting" ? [] : recordRows(cluster.record)),
    ["Time", time],
  ];
  return rows
    .flatMap(([title, value]) =>
      value === undefined || value === "" ? [] : [`${`${title}:`.padEnd(12)}${value}`],
    )
    .join("\n");
}

function stateOf(cluster: NamedCluster): string {
  switch (cluster.state) {
    case "running":
    case "starting":
      return `${cluster.state}, process ${cluster.owner.pid}`;
    case "ended":
      return `ended without being stopped; trimtab stop ${cluster.name} forgets it`;
  }
}

function recordRows(record: ClusterRecord | undefined): readonly (readonly [string, string | undefined])[] {
  return [
    ["Started", record?.startedAt],
    ["Nodes", record?.nodes],
    ["URL", record?.url],
    ["Kubeconfig", record?.kubeconfig],
    ["Context", record?.context],
    [
      "Page",
      record?.page === undefined
        ? undefined
        : `${record.page} (trimtab page --name=${record.name} prints a link)`,
    ],
    ["Data", record?.dataDirectory],
    ["Log", record?.log],
  ];
}
