import os from "node:os";
import { messageOf } from "../../api/message-of.ts";
import { deployments, replicaSets } from "../../api/resources.ts";
import { allowedPickers, pickerPortFactory } from "../../cluster/picker-access.ts";
import { createDecisionLogs, decisionsEndpoint } from "../../cluster/decisions-endpoint.ts";
import { runAsLeader } from "../../controllers/run-as-leader.ts";
import { exposeWorkloadState } from "../../controllers/state-metrics/workload-state.ts";
import { workloadControllers } from "../../controllers/workload-controllers.ts";
import type { Connection } from "../../machinery/client/connection.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import type { KeyPair } from "../../machinery/certificates/certificate.ts";
import {
  followCertificate,
  ownCertificate,
  readCertificate,
} from "../../machinery/https-server/serving-certificate.ts";
import { prometheusMetrics } from "../../machinery/metrics/prometheus-metrics.ts";
import { pinoLogger } from "../../machinery/log/pino-logger.ts";
import { newUid } from "../../machinery/random/identifiers.ts";
import { systemRandom } from "../../machinery/random/system-random.ts";
import { checkConnection } from "../check-connection.ts";
import { type Command, reportErrors, type Terminal } from "../command.ts";
import {
  controllersFlags,
  type ControllersSettings,
  readControllersSettings,
} from "../controllers-settings.ts";
import { findConnection } from "../find-connection.ts";
import { packageVersion } from "../package-version.ts";

export const controllers: Command = {
  name: "controllers",
  summary: "Run the Deployment, ReplicaSet and ReplicationController controllers of an existing cluster.",
  flags: controllersFlags,
  async run(invocation, terminal) {
    const settings = readControllersSettings(invocation);
    if (!("port" in settings)) return reportErrors(terminal, controllers, settings);
    const found = findConnection(settings, process.env);
    if (!found.ok) return reportErrors(terminal, controllers, found.errors);
    const files = settings.serving?.files;
    const read = files && readCertificate(files);
    if (read?.ok === false) return reportErrors(terminal, controllers, [read.problem]);
    return run({ ...settings, certificate: read?.pair }, found.connection, terminal);
  },
};

interface PreparedSettings extends ControllersSettings {
  /** Absent: a certificate of its own. */
  readonly certificate: KeyPair | undefined;
}

/** Runs until the user interrupts it or an error ends it. */
async function run(settings: PreparedSettings, connection: Connection, terminal: Terminal): Promise<number> {
  const clock = new WallClock();
  const random = systemRandom();
  const log = pinoLogger({ level: settings.logLevel, clock });
  const version = packageVersion();
  // Imported here because undici takes as long to load as all of `trimtab up`.
  const { HttpsClient } = await import("../../machinery/client/https-client.ts");
  const client = new HttpsClient({ connection, clock, userAgent: `trimtab-controllers/${version}` });
  const { lease, gates, pickers, serving, certificate } = settings;
  const metrics = prometheusMetrics();
  const decisions = createDecisionLogs();
  try {
    const problem = await checkConnection(client, { resource: deployments, clock }, terminal.interrupted);
    if (problem !== undefined)
      return reportErrors(terminal, controllers, [`${connection.server}: ${problem}`]);
    await runAsLeader(
      {
        client,
        clock,
        random,
        log,
        metrics,
        components: workloadControllers({
          gates: () => gates,
          removals: decisions.removals,
          rollouts: decisions.rollouts,
          pickers: pickerPortFactory(
            allowedPickers({ ...pickers, version, apiServer: () => connection.server }),
          ),
        }),
        debug: decisionsEndpoint(decisions),
        port: settings.port,
        bind: serving && {
          address: serving.address,
          ...(certificate ?? ownCertificate({ clock, random: random.fork("certificate") })),
          ...(certificate &&
            serving.files && { renewed: followCertificate(serving.files, certificate, { clock, log }) }),
        },
        lease: lease && { namespace: connection.namespace, ...lease },
        identity: `${os.hostname()}_${newUid(random.fork("identity"))}`,
        onServing: (url) => terminal.out(welcome(connection, url)),
        exposeState: (informers) =>
          exposeWorkloadState(metrics, {
            deployments: () => informers()?.of(deployments).list() ?? [],
            replicaSets: () => informers()?.of(replicaSets).list() ?? [],
          }),
      },
      terminal.interrupted,
    );
    return 0;
  } catch (error) {
    return reportErrors(terminal, controllers, [messageOf(error)]);
  } finally {
    await client.close();
  }
}

function welcome({ server }: Connection, url: string): string {
  return [
    `trimtab runs the workload controllers of ${server}`,
    `health, metrics and decisions: ${url}`,
    "",
    "The same controllers of kube-controller-manager must be off, or the two undo each other's work:",
    "  kube-controller-manager --controllers=*,-deployment-controller,-replicaset-controller,-replicationcontroller-controller",
  ].join("\n");
}
