import { nodes } from "../../api/resources.ts";
import { createDecisionLogs, decisionsEndpoint } from "../../cluster/decisions-endpoint.ts";
import { runAsLeader } from "../../controllers/run-as-leader.ts";
import type { Connection } from "../../machinery/client/connection/connection.ts";
import { CurrentConfig } from "../../scheduler/configuration/current-config.ts";
import type { SchedulerConfig } from "../../scheduler/configuration/scheduler-config.ts";
import { schedulerComponent } from "../../scheduler/scheduler-component.ts";
import { defaultSchedulerName } from "../../scheduler/scheduler-name.ts";
import { type Command, reportErrors, type Terminal } from "../command.ts";
import { readSchedulerConfig, reloadSchedulerConfig } from "../control-plane/read-scheduler-config.ts";
import { type ClusterProgram, findClusterAccess, runOnCluster } from "../connection/run-on-cluster.ts";
import {
  readSchedulerSettings,
  schedulerFlags,
  type SchedulerSettings,
} from "../control-plane/scheduler-settings.ts";

export const scheduler: Command = {
  name: "scheduler",
  summary: "Schedule the Pods of an existing cluster, as its only scheduler or as a second one.",
  flags: schedulerFlags,
  async run(invocation, terminal) {
    const settings = readSchedulerSettings(invocation);
    if (!("port" in settings)) return reportErrors(terminal, scheduler, settings);
    const found = findClusterAccess(settings);
    const read = readSchedulerConfig(settings.config, settings.gates);
    const problems = [...(found.ok ? [] : found.problems), ...(read.ok ? [] : read.problems)];
    if (problems.length > 0 || !found.ok || !read.ok) return reportErrors(terminal, scheduler, problems);
    for (const warning of read.warnings) terminal.err(`trimtab scheduler: ${warning}`);
    const { connection } = found.access;
    const config = new CurrentConfig(read.config);
    return runOnCluster(found.access, { command: scheduler, probe: nodes, terminal }, (program) =>
      run(program, { ...settings, connection, current: config }, terminal),
    );
  },
};

interface SchedulerOptions extends SchedulerSettings {
  readonly connection: Connection;
  readonly current: CurrentConfig;
}

/** Runs until the user interrupts it or an error ends it. */
async function run(program: ClusterProgram, options: SchedulerOptions, terminal: Terminal): Promise<void> {
  const { connection, lease, maxBindings, current, config: file, gates } = options;
  const { placements, ...others } = createDecisionLogs();
  const reload = reloadSchedulerConfig({ ...program, file, gates, current });
  const stopListening = terminal.onHangUp?.(reload);
  try {
    await runAsLeader(
      {
        ...program,
        components: [
          schedulerComponent({ config: current, records: placements, claims: "elsewhere", maxBindings }),
        ],
        debug: decisionsEndpoint({ placements, ...others }),
        lease: lease && { namespace: connection.namespace, ...lease },
        onServing: (url) => terminal.out(welcome(connection, url, current.value)),
      },
      terminal.interrupted,
    );
  } finally {
    stopListening?.();
  }
}

function welcome({ server }: Connection, url: string, { profiles }: SchedulerConfig): string {
  const names = profiles.map(({ schedulerName }) => schedulerName);
  return [
    `trimtab schedules the Pods of ${server} whose schedulerName is ${names.join(" or ")}`,
    `health, metrics and decisions: ${url}`,
    ...(names.includes(defaultSchedulerName)
      ? [
          "",
          `kube-scheduler must not run: it schedules the Pods of ${defaultSchedulerName} as well. To run beside it, give`,
          "the profile another schedulerName with --config.",
        ]
      : []),
  ].join("\n");
}
