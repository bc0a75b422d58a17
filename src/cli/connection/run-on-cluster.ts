import os from "node:os";
import { messageOf } from "../../api/message-of.ts";
import type { Resource } from "../../api/resource.ts";
import type { KeyPair } from "../../machinery/certificates/certificate.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Connection } from "../../machinery/client/connection/connection.ts";
import type { HttpsClient } from "../../machinery/client/http/https-client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import type { SecureServing } from "../../machinery/diagnostics/serve-diagnostics.ts";
import {
  followCertificate,
  ownCertificate,
  readCertificate,
} from "../../machinery/https-server/serving-certificate.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import { pinoLogger } from "../../machinery/log/pino-logger.ts";
import { type PrometheusMetrics, prometheusMetrics } from "../../machinery/metrics/prometheus-metrics.ts";
import { newUid } from "../../machinery/random/identifiers.ts";
import type { Random } from "../../machinery/random/random.ts";
import { systemRandom } from "../../machinery/random/system-random.ts";
import type { ExternalClusterSettings } from "../flags/cluster-flags.ts";
import { type Command, reportErrors, type Terminal } from "../command.ts";
import { findConnection } from "./find-connection.ts";
import { packageVersion } from "../installed-package.ts";

/** The cluster that the settings name, with every file they name read. */
export interface ClusterAccess {
  readonly settings: ExternalClusterSettings;
  readonly connection: Connection;
  /** Of the diagnostics; absent: a certificate of its own. */
  readonly certificate: KeyPair | undefined;
}

type FoundAccess =
  | { readonly ok: true; readonly access: ClusterAccess }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the kubeconfig and the certificate of the diagnostics; nothing is dialled yet. */
export function findClusterAccess(settings: ExternalClusterSettings): FoundAccess {
  const found = findConnection(settings, process.env);
  const read = settings.serving?.files && readCertificate(settings.serving.files);
  const problems = [...(found.ok ? [] : found.errors), ...(read?.ok === false ? [read.problem] : [])];
  if (problems.length > 0 || !found.ok) return { ok: false, problems };
  const certificate = read?.ok === true ? read.pair : undefined;
  return { ok: true, access: { settings, connection: found.connection, certificate } };
}

/** What a program beside an existing cluster runs with. */
export interface ClusterProgram {
  readonly client: HttpsClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: PrometheusMetrics;
  /** The version of the product. */
  readonly version: string;
  /** Differs from that of every other copy. */
  readonly identity: string;
  /** The port of the diagnostics; 0: any free one. */
  readonly port: number;
  /** Where other machines reach the diagnostics; absent: loopback only. */
  readonly bind: Omit<SecureServing, "authorize"> | undefined;
}

export interface RunOnClusterOptions {
  readonly command: Command;
  /** Listed once at the start, so that a mistyped flag is an error at once rather than a line in the log. */
  readonly probe: Resource;
  readonly terminal: Terminal;
}

/** Connects, runs the program until it ends and closes the connection; returns the exit code of the command. */
export async function runOnCluster(
  access: ClusterAccess,
  { command, probe, terminal }: RunOnClusterOptions,
  run: (program: ClusterProgram) => Promise<void>,
): Promise<number> {
  const { connection, settings } = access;
  const clock = new WallClock();
  const random = systemRandom();
  const log = pinoLogger({ level: settings.logLevel, clock });
  const client = await clientOf(connection, { command, clock });
  try {
    const problem = await checkConnection(client, { resource: probe, clock }, terminal.interrupted);
    if (problem !== undefined) return reportErrors(terminal, command, [`${connection.server}: ${problem}`]);
    await run({
      client,
      clock,
      random,
      log,
      metrics: prometheusMetrics(),
      version: packageVersion(),
      identity: `${os.hostname()}_${newUid(random.fork("identity"))}`,
      port: settings.port,
      bind: bindOf(access, { clock, random, log }),
    });
    return 0;
  } catch (error) {
    return reportErrors(terminal, command, [messageOf(error)]); // the boundary of the command
  } finally {
    await client.close();
  }
}

/** A client that names the command in its requests. */
export async function clientOf(
  connection: Connection,
  { command, clock }: { readonly command: Command; readonly clock: Clock },
): Promise<HttpsClient> {
  // Imported here because undici takes as long to load as all of `trimtab up`.
  const { HttpsClient } = await import("../../machinery/client/http/https-client.ts");
  return new HttpsClient({ connection, clock, userAgent: `trimtab-${command.name}/${packageVersion()}` });
}

function bindOf(
  { settings: { serving }, certificate }: ClusterAccess,
  { clock, random, log }: Pick<ClusterProgram, "clock" | "random" | "log">,
): ClusterProgram["bind"] {
  if (serving === undefined) return undefined;
  const { address, files } = serving;
  if (certificate === undefined || files === undefined)
    return { address, ...ownCertificate({ clock, random: random.fork("certificate") }) };
  return { address, ...certificate, renewed: followCertificate(files, certificate, { clock, log }) };
}

const probeTimeoutMs = 10_000;

/** Returns why the API server cannot be used, if so: a mistyped flag is an error rather than a line in a log. */
async function checkConnection(
  client: Client,
  { resource, clock }: { readonly resource: Resource; readonly clock: Clock },
  signal: AbortSignal,
): Promise<string | undefined> {
  const timeout = new AbortController();
  const noResponse = new Error(`no answer for ${probeTimeoutMs / 1000} s`);
  const timer = clock.after(probeTimeoutMs, () => timeout.abort(noResponse));
  try {
    await client.list(resource, { limit: 1 }, AbortSignal.any([signal, timeout.signal]));
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    return timeout.signal.aborted ? noResponse.message : messageOf(error);
  } finally {
    timer.cancel();
  }
}
