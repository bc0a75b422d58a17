import os from "node:os";
import { messageOf } from "../../api/message-of.ts";
import { replicaSets } from "../../api/resources.ts";
import { createDecisionLogs, decisionsEndpoint } from "../../cluster/decisions-endpoint.ts";
import { allowedPickers, pickerPortFactory } from "../../cluster/picker-access.ts";
import { sizeEncoder } from "../../decisions/explain/size-record.ts";
import type { JsonObject } from "../../api/json.ts";
import type { KeyPair } from "../../machinery/certificates/certificate.ts";
import type { Connection } from "../../machinery/client/connection.ts";
import { readTextFile } from "../../machinery/client/text-file.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { DecisionLog } from "../../machinery/diagnostics/decision-log.ts";
import type { DebugEndpoint } from "../../machinery/diagnostics/diagnostics.ts";
import {
  followCertificate,
  type FollowOptions,
  ownCertificate,
  readCertificate,
} from "../../machinery/https-server/serving-certificate.ts";
import { pinoLogger } from "../../machinery/log/pino-logger.ts";
import { prometheusMetrics } from "../../machinery/metrics/prometheus-metrics.ts";
import { newUid } from "../../machinery/random/identifiers.ts";
import { systemRandom } from "../../machinery/random/system-random.ts";
import { runSteering } from "../../steering/run-steering.ts";
import type { ServingIdentity } from "../../steering/serving/certificate-secret.ts";
import type { CertificateSource, SteeringConfig } from "../../steering/steering-config.ts";
import { checkConnection } from "../check-connection.ts";
import { type Command, reportErrors, type Terminal } from "../command.ts";
import { findConnection } from "../find-connection.ts";
import { packageVersion } from "../package-version.ts";
import { readSteeringConfig } from "../read-steering-config.ts";
import { readSteerSettings, type SteerSettings, steerFlags } from "../steer-settings.ts";

export const steer: Command = {
  name: "steer",
  summary:
    "Steer the stock controllers of an existing cluster: which Pods go, when they are replaced, how they spread.",
  flags: steerFlags,
  async run(invocation, terminal) {
    const settings = readSteerSettings(invocation);
    if (!("port" in settings)) return reportErrors(terminal, steer, settings);
    const found = findConnection(settings, process.env);
    if (!found.ok) return reportErrors(terminal, steer, found.errors);
    const read = readSteeringConfig(settings.config, found.connection.namespace);
    if (!read.ok) return reportErrors(terminal, steer, read.problems);
    const pairs = readPairs(settings, read.config);
    if (!pairs.ok) return reportErrors(terminal, steer, pairs.problems);
    return run({ ...settings, ...pairs, steering: read.config }, found.connection, terminal);
  },
};

interface PreparedSettings extends SteerSettings, Pairs {
  readonly steering: SteeringConfig;
}

interface Pairs {
  /** Of the diagnostics; absent: a certificate of its own. */
  readonly diagnostics: KeyPair | undefined;
  /** Of the webhook; absent: a Secret of our own. */
  readonly webhook: ServingIdentity | undefined;
}

type ReadPairs =
  | ({ readonly ok: true } & Pairs)
  | { readonly ok: false; readonly problems: readonly string[] };

function readPairs({ serving }: SteerSettings, { certificate }: SteeringConfig): ReadPairs {
  const diagnostics = serving?.files && readCertificate(serving.files);
  const webhook = certificate.kind === "files" ? readIdentity(certificate) : undefined;
  const problems = [diagnostics, webhook].flatMap((read) => (read?.ok === false ? [read.problem] : []));
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    diagnostics: diagnostics?.ok === true ? diagnostics.pair : undefined,
    webhook: webhook?.ok === true ? webhook.pair : undefined,
  };
}

type Files = Extract<CertificateSource, { readonly kind: "files" }>;

type ReadIdentity =
  | { readonly ok: true; readonly pair: ServingIdentity }
  | { readonly ok: false; readonly problem: string };

function readIdentity(files: Files): ReadIdentity {
  const read = readCertificate(files);
  if (!read.ok || files.authority === undefined) return read;
  const authority = readTextFile(files.authority);
  if (!authority.ok) return { ok: false, problem: `${files.authority}: ${authority.reason}` };
  return { ok: true, pair: { ...read.pair, trusted: authority.text } };
}

/** Follows the files of the webhook's certificate, if there are any. */
function followFiles(
  { certificate }: SteeringConfig,
  first: ServingIdentity | undefined,
  options: FollowOptions,
): (() => ServingIdentity) | undefined {
  if (certificate.kind !== "files" || first === undefined) return undefined;
  const renewed = followCertificate(certificate, first, options);
  let known = first;
  return () => {
    const pair = renewed();
    if (pair === undefined) return known;
    const read = readIdentity(certificate);
    known = read.ok ? read.pair : { ...known, ...pair };
    return known;
  };
}

/** Runs until the user interrupts it or an error ends it. */
async function run(settings: PreparedSettings, connection: Connection, terminal: Terminal): Promise<number> {
  const clock = new WallClock();
  const random = systemRandom();
  const log = pinoLogger({ level: settings.logLevel, clock });
  const version = packageVersion();
  const { HttpsClient } = await import("../../machinery/client/https-client.ts");
  const client = new HttpsClient({ connection, clock, userAgent: `trimtab-steer/${version}` });
  const { lease, gates, pickers, serving, steering, diagnostics } = settings;
  const metrics = prometheusMetrics();
  const decisions = createDecisionLogs();
  const sizes = new DecisionLog(sizeEncoder);
  const pickerPort = pickerPortFactory(
    allowedPickers({ ...pickers, version, apiServer: () => connection.server }),
  );
  try {
    const problem = await checkConnection(client, { resource: replicaSets, clock }, terminal.interrupted);
    if (problem !== undefined) return reportErrors(terminal, steer, [`${connection.server}: ${problem}`]);
    await runSteering(
      {
        client,
        clock,
        random,
        log,
        metrics,
        config: steering,
        gates: () => gates,
        records: { removals: decisions.removals, sizes },
        ...(gates.DownscalePodPicker && { pickers: pickerPort }),
        files: followFiles(steering, settings.webhook, { clock, log }),
        lease: lease && { namespace: steering.namespace, ...lease },
        identity: `${os.hostname()}_${newUid(random.fork("identity"))}`,
        diagnosticsPort: settings.port,
        diagnosticsBind: serving && {
          address: serving.address,
          ...(diagnostics ?? ownCertificate({ clock, random: random.fork("certificate") })),
          ...(diagnostics &&
            serving.files && { renewed: followCertificate(serving.files, diagnostics, { clock, log }) }),
        },
        debug: withSizes(decisionsEndpoint(decisions), sizes),
        onServing: (urls) => terminal.out(welcome(connection, urls)),
      },
      terminal.interrupted,
    );
    return 0;
  } catch (error) {
    return reportErrors(terminal, steer, [messageOf(error)]);
  } finally {
    await client.close();
  }
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

function welcome(
  { server }: Connection,
  urls: { readonly webhook: string; readonly diagnostics: string },
): string {
  return [
    `trimtab steers the workloads of ${server} that ask for it`,
    `webhook: ${urls.webhook}`,
    `health, metrics and decisions: ${urls.diagnostics}`,
  ].join("\n");
}
