import os from "node:os";
import type { JsonObject } from "../../api/json.ts";
import { replicaSets } from "../../api/resources.ts";
import { createDecisionLogs, decisionsEndpoint } from "../../cluster/decisions-endpoint.ts";
import { allowedPickers } from "../../cluster/network-pickers.ts";
import { pickerPortFactory } from "../../cluster/picker-access.ts";
import { sizeEncoder } from "../../decisions/explain/size-record.ts";
import type { Connection } from "../../machinery/client/connection/connection.ts";
import { isInCluster } from "../../machinery/client/connection/in-cluster.ts";
import { DecisionLog } from "../../machinery/diagnostics/decision-log.ts";
import type { DebugEndpoint } from "../../machinery/diagnostics/diagnostics.ts";
import type { ServingIdentity } from "../../steering/serving/certificate-secret.ts";
import type { RunSteeringOptions } from "../../steering/run-steering.ts";
import type { SteeringConfig } from "../../steering/steering-config.ts";
import { type Command, reportErrors, type Terminal } from "../command.ts";
import {
  readSteeringConfig,
  readSteerSettings,
  type SteerSettings,
  steerFlags,
} from "../steer/steer-settings.ts";
import { observationFile } from "../steer/observation-file.ts";
import { reportFormats, reportObservations } from "../steer/observation-report.ts";
import { type ClusterProgram, findClusterAccess, runOnCluster } from "../connection/run-on-cluster.ts";
import { followWebhookFiles, readWebhookFiles } from "../steer/webhook-files.ts";

export const steer: Command = {
  name: "steer",
  summary:
    "Steer the stock controllers of an existing cluster: which Pods go, when they are replaced, how they spread.",
  operands: "report DIR…",
  operandChoices: ["report"],
  flags: {
    ...steerFlags,
    output: {
      type: "string",
      short: "o",
      default: "text",
      value: "FORMAT",
      choices: reportFormats,
      help: "Of report: text, json or html",
    },
  },
  async run(invocation, terminal) {
    const [operand] = invocation.arguments;
    if (operand === "report") return reportObservations(steer, invocation, terminal);
    if (operand !== undefined)
      return reportErrors(terminal, steer, [
        `${JSON.stringify(operand)} is no operand; there is only report DIR…`,
      ]);
    const settings = readSteerSettings(invocation);
    if (!("port" in settings)) return reportErrors(terminal, steer, settings);
    const found = findClusterAccess(settings);
    if (!found.ok) return reportErrors(terminal, steer, found.problems);
    const { connection } = found.access;
    const read = readSteeringConfig(settings.config, {
      namespace: connection.namespace,
      isPod: isInCluster(connection),
    });
    if (!read.ok) return reportErrors(terminal, steer, read.problems);
    const webhook = readWebhookFiles(read.config.certificate);
    if (!webhook.ok) return reportErrors(terminal, steer, [webhook.problem]);
    const options = { ...settings, connection, steering: read.config, webhook: webhook.pair };
    return runOnCluster(found.access, { command: steer, probe: replicaSets, terminal }, (program) =>
      run(program, options, terminal),
    );
  },
};

interface SteerOptions extends SteerSettings {
  readonly connection: Connection;
  readonly steering: SteeringConfig;
  /** The certificate of the webhook; absent: a Secret of our own. */
  readonly webhook: ServingIdentity | undefined;
}

/** Runs until the user interrupts it or an error ends it. */
async function run(
  { version, port, bind, ...program }: ClusterProgram,
  { connection, steering, webhook, lease, gates, pickers, spreadDefaults, observations }: SteerOptions,
  terminal: Terminal,
): Promise<void> {
  const { runSteering } = await import("../../steering/run-steering.ts");
  const decisions = createDecisionLogs();
  const sizes = new DecisionLog(sizeEncoder);
  const pickerAccess = { ...pickers, version, apiServer: () => connection.server };
  await runSteering(
    {
      ...program,
      config: steering,
      gates: () => gates,
      spreadDefaults,
      ...observing(observations, steering, program.log),
      records: { removals: decisions.removals, sizes },
      ...(gates.DownscalePodPicker && { pickers: pickerPortFactory(allowedPickers(pickerAccess)) }),
      files: followWebhookFiles(steering.certificate, webhook, program),
      lease: lease && { namespace: steering.namespace, ...lease },
      diagnosticsPort: port,
      diagnosticsBind: bind,
      debug: withSizes(decisionsEndpoint(decisions), sizes),
      onServing: (urls) => terminal.out(steerWelcome(connection, steering, urls)),
    },
    terminal.interrupted,
  );
}

const inConfigMap = "configmap/";

/** Where a copy keeps what it observes: its host name is that of its Pod. */
function observing(
  place: string | undefined,
  { namespace }: SteeringConfig,
  log: ClusterProgram["log"],
): Pick<RunSteeringOptions, "observations" | "summariesIn"> {
  const copy = os.hostname();
  if (place === undefined) return {};
  if (place.startsWith(inConfigMap))
    return { summariesIn: { at: { namespace, name: place.slice(inConfigMap.length) }, copy } };
  return {
    observations: observationFile(place, copy, (problem) =>
      log.warn("observations cannot be kept", { problem }),
    ),
  };
}

/** Adds the capped sizes to the decisions. */
function withSizes(endpoint: DebugEndpoint, sizes: Pick<DecisionLog<never, object>, "find">): DebugEndpoint {
  return (path, parameters) => {
    const answer = endpoint(path, parameters);
    if (path !== "/debug/decisions" || answer === undefined) return answer;
    const query = { namespace: parameters.get("namespace") ?? "", name: parameters.get("name") ?? "" };
    return { ...answer, sizes: sizes.find(query) as unknown as readonly JsonObject[] };
  };
}

/** What is said once the webhook answers. */
export function steerWelcome(
  { server }: Pick<Connection, "server">,
  { leftOut }: Pick<SteeringConfig, "leftOut">,
  urls: { readonly webhook: string; readonly diagnostics: string },
): string {
  return [
    `trimtab steers the workloads of ${server} that ask for it`,
    `never steered: what is in the ${leftOut.length === 1 ? "namespace" : "namespaces"} ${leftOut.join(", ")}`,
    `webhook: ${urls.webhook}`,
    `health, metrics and decisions: ${urls.diagnostics}`,
  ].join("\n");
}
