import { deployments, replicaSets } from "../../api/resources.ts";
import { allowedPickers } from "../../cluster/network-pickers.ts";
import { pickerPortFactory } from "../../cluster/picker-access.ts";
import { createDecisionLogs, decisionsEndpoint } from "../../cluster/decisions-endpoint.ts";
import { runAsLeader } from "../../controllers/run-as-leader.ts";
import { exposeWorkloadState } from "../../controllers/state-metrics/workload-state.ts";
import { optionalControllers } from "../../controllers/optional-controllers.ts";
import { workloadControllers } from "../../controllers/workload-controllers.ts";
import type { Connection } from "../../machinery/client/connection/connection.ts";
import { type Command, reportErrors, type Terminal } from "../command.ts";
import {
  controllersFlags,
  type ControllersSettings,
  readControllersSettings,
} from "../control-plane/controllers-settings.ts";
import { type ClusterProgram, findClusterAccess, runOnCluster } from "../connection/run-on-cluster.ts";

export const controllers: Command = {
  name: "controllers",
  summary: "Run the workload controllers of an existing cluster.",
  flags: controllersFlags,
  async run(invocation, terminal) {
    const settings = readControllersSettings(invocation);
    if (!("port" in settings)) return reportErrors(terminal, controllers, settings);
    const found = findClusterAccess(settings);
    if (!found.ok) return reportErrors(terminal, controllers, found.problems);
    const { connection } = found.access;
    return runOnCluster(found.access, { command: controllers, probe: deployments, terminal }, (program) =>
      run(program, { ...settings, connection }, terminal),
    );
  },
};

interface ControllersOptions extends ControllersSettings {
  readonly connection: Connection;
}

/** Runs until the user interrupts the command or an error ends it. */
async function run(
  { version, ...program }: ClusterProgram,
  { connection, lease, gates, pickers, spreadDefaults, ...chosen }: ControllersOptions,
  terminal: Terminal,
): Promise<void> {
  const decisions = createDecisionLogs();
  const pickerAccess = { ...pickers, version, apiServer: () => connection.server };
  const all = [
    ...workloadControllers({
      gates: () => gates,
      spreadDefaults,
      removals: decisions.removals,
      rollouts: decisions.rollouts,
      pickers: pickerPortFactory(allowedPickers(pickerAccess)),
    }),
    ...optionalControllers({ gates: () => gates, deletions: decisions.deletions }),
  ];
  await runAsLeader(
    {
      ...program,
      components: all.filter(({ name }) => chosen.components.has(name)),
      debug: decisionsEndpoint(decisions),
      lease: lease && { namespace: connection.namespace, ...lease },
      onServing: (url) => terminal.out(welcome(connection, url, chosen.controllers)),
      exposeState: (informers) =>
        exposeWorkloadState(program.metrics, {
          deployments: () => informers()?.of(deployments).list() ?? [],
          replicaSets: () => informers()?.of(replicaSets).list() ?? [],
        }),
    },
    terminal.interrupted,
  );
}

function welcome({ server }: Connection, url: string, names: readonly string[]): string {
  return [
    `trimtab runs the workload controllers of ${server}`,
    `health, metrics and decisions: ${url}`,
    "",
    "The same controllers of kube-controller-manager must be off, or the two undo each other's work:",
    `  kube-controller-manager --controllers=${["*", ...names.map((name) => `-${name}`)].join(",")}`,
  ].join("\n");
}
