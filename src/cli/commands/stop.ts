import { type Command, reportErrors } from "../command.ts";
import { chooseCluster } from "../named-clusters/named-cluster.ts";
import { stopNamedCluster } from "../named-clusters/stop-cluster.ts";

export const stop: Command = {
  name: "stop",
  summary: "Stop a cluster of trimtab up.",
  operands: "NAME",
  operandChoices: [],
  flags: {},
  async run({ arguments: names }, terminal) {
    const found = chooseCluster(names, process.env);
    if (!found.ok) return reportErrors(terminal, stop, [found.problem]);
    const { cluster } = found;
    const problem = await stopNamedCluster(cluster, terminal.interrupted);
    if (problem !== undefined) return reportErrors(terminal, stop, [problem]);
    const done = cluster.state === "ended" ? "had ended already, and is forgotten" : "has stopped";
    terminal.out(`trimtab: the cluster ${cluster.name} ${done}`);
    return 0;
  },
};
