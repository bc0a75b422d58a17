import { messageOf } from "../../api/message-of.ts";
import type { ClusterGates } from "../../cluster/cluster-options.ts";
import type { EmbeddedClusterOptions } from "../../cluster/embedding/embedding-options.ts";
import { startProgramCluster } from "../../cluster/embedding/start-embedded-cluster.ts";
import { createManifest } from "../../cluster/embedding/create-manifests.ts";
import type { Cluster } from "../../cluster/start-cluster.ts";
import { localPickers } from "../../cluster/network-pickers.ts";
import { localExtensionServers } from "../../cluster/extension-access.ts";
import { localWebhooks } from "../../cluster/webhook-access.ts";
import { type KubeconfigValues, writeKubeconfig } from "../../cluster/write-kubeconfig.ts";
import { isAlreadyExists } from "../../machinery/client/api-error.ts";
import { kubeconfigPaths } from "../../machinery/client/connection/kubeconfig.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import { pinoLogger } from "../../machinery/log/pino-logger.ts";
import { prometheusMetrics } from "../../machinery/metrics/prometheus-metrics.ts";
import {
  type OutsideFaults,
  outsideFaultsOf,
} from "../../simulation/outside-faults/inject-outside-faults.ts";
import { type Command, reportErrors, type Terminal, untilInterrupted } from "../command.ts";
import { mergeKubeconfig } from "../up/merge-kubeconfig.ts";
import { startInBackground } from "../named-clusters/start-in-background.ts";
import {
  type ClaimedName,
  claimClusterName,
  findCluster,
  usualName,
} from "../named-clusters/named-cluster.ts";
import { packageVersion } from "../installed-package.ts";
import { heapReader, processHeap } from "../up/process-heap.ts";
import { readUpFiles } from "../up/up-files.ts";
import { UpPage } from "../page/up-page.ts";
import { type PreparedSettings, recordOf, stepsOf, welcome } from "../up/ready-cluster.ts";
import { defaultKubeconfig, readUpSettings, upFlags } from "../up/up-settings.ts";

export const up: Command = {
  name: "up",
  summary: "Start a Kubernetes-compatible cluster in this process.",
  operands: "MANIFEST…",
  flags: upFlags,
  async run(invocation, terminal) {
    const settings = readUpSettings(invocation);
    if (!("port" in settings)) return reportErrors(terminal, up, settings);
    const files = readUpFiles(settings);
    if (!files.ok) return reportErrors(terminal, up, files.problems);
    const prepared = { ...settings, ...files, words: invocation.words ?? [] };
    if (settings.isDetached) return runDetached(prepared, terminal);
    for (const warning of files.warnings) terminal.err(`trimtab up: ${warning}`);
    return run(prepared, terminal);
  },
};

/** Starts the cluster in the background, as the same command without `--detach`. */
async function runDetached({ name = "", words }: PreparedSettings, terminal: Terminal): Promise<number> {
  const withoutDetach = words.filter((word) => word !== "--detach");
  const started = await startInBackground(name, ["up", ...withoutDetach], terminal);
  if (!started.ok) return reportErrors(terminal, up, started.errors);
  terminal.out(started.text);
  return 0;
}

/** The part of the heap that superseded and deleted objects may take: 256 MiB of Node's usual 4 GiB. */
const historyShare = 16;

/** The claim of a cluster without a name: other commands do not list it, and clients find it by its kubeconfig. */
const unlisted: ClaimedName = { publish: () => undefined, release: () => undefined };

/** Claims the cluster's name; without one, and with the default kubeconfig, the default name if it is free. */
function claimNameOf({ name, kubeconfig }: PreparedSettings): ClaimedName {
  if (name !== undefined) return claimClusterName(name, process.env);
  if (kubeconfig !== defaultKubeconfig() || isTaken(usualName)) return unlisted;
  return claimClusterName(usualName, process.env);
}

function isTaken(name: string): boolean {
  const found = findCluster(name, process.env);
  return found !== undefined && found.state !== "ended";
}

/** Returns advice for a port that another program uses. */
function adviceFor(error: unknown, { name, port }: PreparedSettings): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const isUsed = cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
  if (!isUsed || port === 0) return "";
  const running = name === undefined ? findCluster(usualName, process.env) : undefined;
  const what =
    running?.state === "running" && new URL(running.record.url).port === String(port)
      ? `; the cluster ${usualName} runs there (trimtab stop ${usualName} ends it)`
      : "";
  return `${what}; --name NAME starts a cluster with a port and a kubeconfig of its own`;
}

/** Starts the cluster, prints how to use it, and waits until the user interrupts it. */
async function run(settings: PreparedSettings, terminal: Terminal): Promise<number> {
  const clock = new WallClock();
  const startedAt = clock.now();
  for (const step of stepsOf(settings)) terminal.progress?.(step);
  const cleanUps: (() => void)[] = [];
  let stop: () => Promise<void> = () => Promise.resolve();
  try {
    const claimed = claimNameOf(settings);
    cleanUps.push(claimed.release);
    const log = pinoLogger({ level: settings.logLevel, clock });
    const page = new UpPage();
    const faults = settings.faults && outsideFaultsOf(settings.faults);
    const cluster = await start(settings, { clock, log, page, faults });
    stop = async () => {
      await page.close();
      await cluster.stop();
      if (faults !== undefined) terminal.out(faults.log()?.asText() ?? "");
    };
    const { url } = cluster.access;
    await page.start(cluster, settings, log);
    for (const remove of writeKubeconfigs(settings, cluster.access)) cleanUps.push(remove);
    const refused = await applyManifests(settings, cluster, terminal);
    if (refused !== undefined) return reportErrors(terminal, up, [refused]);
    if (terminal.interrupted.aborted) return reportErrors(terminal, up, ["interrupted before it was ready"]);
    const isDetached = terminal.ready !== undefined;
    const ready = {
      ...settings,
      url,
      link: page.newLink(),
      page: page.url,
      startedAt,
      tookMs: clock.now() - startedAt,
      isDetached,
      hasKeys: terminal.onEnter !== undefined,
    };
    claimed.publish(recordOf(ready));
    const text = welcome(ready);
    terminal.out(text);
    terminal.ready?.(text);
    await untilInterrupted(terminal, () => page.newLink() ?? "There is no page.");
    terminal.out("trimtab: stopping");
    return 0;
  } catch (error) {
    // The boundary of the command.
    return reportErrors(terminal, up, [`${messageOf(error)}${adviceFor(error, settings)}`]);
  } finally {
    // The cluster stops even if its files could not be written, and the files are removed even if it fails to stop.
    await stop().finally(() => cleanUp(cleanUps.toReversed(), terminal));
  }
}

interface Foundations {
  readonly clock: WallClock;
  readonly log: Logger;
  readonly page: UpPage;
  readonly faults: OutsideFaults | undefined;
}

async function start(settings: PreparedSettings, { log, clock, page, faults }: Foundations) {
  const metrics = prometheusMetrics();
  const version = packageVersion();
  const listening = { url: "" };
  const { dataDirectory, groups, nodes } = settings;
  const options = {
    nodes: groups ?? nodes,
    zones: settings.zones,
    speed: settings.speed,
    https: { port: settings.port },
    without: settings.without,
    schedulerConfig: settings.schedulerConfig,
    pickerConnector: localPickers({ ...settings.pickers, version, apiServer: () => listening.url }),
    webhooks: localWebhooks(settings.webhooks),
    extensionServers: localExtensionServers(settings.webhooks),
    gates: gateChoices(settings.gates),
    log,
    ...(dataDirectory !== undefined && { dataDir: dataDirectory }),
    metrics,
  };
  const cluster = await startProgramCluster(options, {
    debugAction: page.debugAction,
    maxHistoryBytes: processHeap.read().limitBytes / historyShare,
    heap: heapReader(clock),
    metricsText: () => metrics.text(),
    version,
    ...(faults !== undefined && { outsideRequests: faults.outsideRequests }),
  });
  listening.url = cluster.access.url;
  return cluster;
}

/** Writes the kubeconfig and, if wanted, a context into the user's own; yields a function that undoes each write. */
function* writeKubeconfigs(
  { kubeconfig, context, mergesKubeconfig }: PreparedSettings,
  access: KubeconfigValues,
): Generator<() => void> {
  yield writeKubeconfig(kubeconfig, { ...access, context });
  const [own] = kubeconfigPaths(process.env);
  if (mergesKubeconfig && own !== undefined) yield mergeKubeconfig(own, { ...access, context });
}

function gateChoices({
  controllers,
  apiServer,
  components,
}: ClusterGates): NonNullable<EmbeddedClusterOptions["gates"]> {
  return { all: controllers, apiServer, ...components };
}

function cleanUp(cleanUps: readonly (() => void)[], terminal: Terminal): void {
  for (const task of cleanUps) {
    try {
      task();
    } catch (error) {
      reportErrors(terminal, up, [messageOf(error)]); // the other tasks still have to run
    }
  }
}

/** Creates the objects of the manifests in order, except those a data directory already has; returns the first error. */
async function applyManifests(
  { manifests, dataDirectory }: PreparedSettings,
  cluster: Pick<Cluster, "client" | "store">,
  terminal: Terminal,
): Promise<string | undefined> {
  for (const { resource, object, title } of manifests) {
    terminal.progress?.(`creating ${title}`);
    try {
      await createManifest(cluster, resource, object);
    } catch (error) {
      if (dataDirectory !== undefined && isAlreadyExists(error)) continue;
      return `${title}: ${messageOf(error)}`;
    }
  }
  return undefined;
}
