import { messageOf } from "../../api/message-of.ts";
import { localPickers } from "../../cluster/picker-access.ts";
import { localWebhooks } from "../../cluster/webhook-access.ts";
import { type Cluster, startCluster } from "../../cluster/start-cluster.ts";
import type { DataDirectory } from "../../cluster/data-directory/open-data-directory.ts";
import { isAlreadyExists } from "../../machinery/client/api-error.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { Random } from "../../machinery/random/random.ts";
import { contextName, writeKubeconfig } from "../../cluster/write-kubeconfig.ts";
import { kubeconfigPaths } from "../../machinery/client/kubeconfig.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { prometheusMetrics } from "../../machinery/metrics/prometheus-metrics.ts";
import { pinoLogger } from "../../machinery/log/pino-logger.ts";
import { systemRandom } from "../../machinery/random/system-random.ts";
import type { SchedulerConfig } from "../../scheduler/configuration/scheduler-config.ts";
import { type Command, reportErrors, type Terminal } from "../command.ts";
import { heapReader } from "../process-heap.ts";
import { mergeKubeconfig } from "../merge-kubeconfig.ts";
import { openStorage } from "../open-storage.ts";
import { packageVersion } from "../package-version.ts";
import { type Manifest, readManifests } from "../read-manifests.ts";
import { readSchedulerConfig } from "../read-scheduler-config.ts";
import { readUpSettings, upFlags, type UpSettings } from "../up-settings.ts";

export const up: Command = {
  name: "up",
  summary: "Start a Kubernetes-compatible cluster in this process.",
  operands: "MANIFEST…",
  flags: upFlags,
  async run(invocation, terminal) {
    const settings = readUpSettings(invocation);
    if (!("port" in settings)) return reportErrors(terminal, up, settings);
    const read = readManifests(settings.manifests);
    if (!read.ok) return reportErrors(terminal, up, [read.problem]);
    const { components, controllers } = settings.gates;
    const schedulerGates = components.scheduler ?? controllers;
    const scheduler = readSchedulerConfig(settings.schedulerConfigFile, schedulerGates());
    if (!scheduler.ok) return reportErrors(terminal, up, scheduler.problems);
    for (const warning of scheduler.warnings) terminal.err(`trimtab up: ${warning}`);
    return run({ ...settings, schedulerConfig: scheduler.config }, read.manifests, terminal);
  },
};

interface PreparedSettings extends UpSettings {
  readonly schedulerConfig: SchedulerConfig;
}

/** What a run of the cluster is made of. */
interface Run {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly storage: DataDirectory;
  /** The address of the API server, once it listens. */
  readonly listening: { url: string };
}

/** Starts the cluster, prints how to use it, and waits until the user interrupts it. */
async function run(
  settings: PreparedSettings,
  manifests: readonly Manifest[],
  terminal: Terminal,
): Promise<number> {
  const clock = new WallClock();
  const random = systemRandom();
  const log = pinoLogger({ level: settings.logLevel, clock });
  const startedAt = clock.now();
  const { dataDirectory } = settings;
  if (dataDirectory !== undefined) terminal.progress?.(`reading ${dataDirectory}`);
  let storage: DataDirectory;
  try {
    storage = await openStorage(dataDirectory, { clock, random: random.fork("authority"), log });
  } catch (error) {
    return reportErrors(terminal, up, [messageOf(error)]);
  }
  const { authority } = storage;
  const listening = { url: "" };
  const cleanUps: (() => void)[] = [];
  terminal.progress?.(`starting ${settings.nodes} nodes in ${settings.zones} zones`);
  const cluster = await start(settings, { clock, random, log, storage, listening });
  try {
    const access = await cluster.server.listen({ port: settings.port, authority });
    listening.url = access.url;
    cleanUps.push(writeKubeconfig(settings.kubeconfig, access));
    const [own] = kubeconfigPaths(process.env);
    if (settings.mergesKubeconfig && own !== undefined) cleanUps.push(mergeKubeconfig(own, access));
    const refused = await applyManifests(
      { manifests, isKept: dataDirectory !== undefined },
      cluster,
      terminal,
    );
    if (refused !== undefined) return reportErrors(terminal, up, [refused]);
    terminal.out(welcome(settings, access.url, clock.now() - startedAt));
    await untilAborted(terminal.interrupted);
    terminal.out("trimtab: stopping");
    return 0;
  } catch (error) {
    return reportErrors(terminal, up, [messageOf(error)]);
  } finally {
    await cluster.stop();
    cleanUp(cleanUps, terminal); // last: the cluster has to stop whatever happened to the files
  }
}

function start(
  settings: PreparedSettings,
  { clock, random, log, storage, listening }: Run,
): Promise<Cluster> {
  const metrics = prometheusMetrics();
  const version = packageVersion();
  return startCluster({
    clock,
    random,
    nodes: settings.nodes,
    zones: settings.zones,
    without: settings.without,
    schedulerConfig: settings.schedulerConfig,
    pickerConnector: localPickers({ ...settings.pickers, version, apiServer: () => listening.url }),
    webhooks: localWebhooks(settings.webhooks),
    gates: settings.gates,
    log,
    ...storage,
    heap: heapReader(clock),
    metrics,
    metricsText: () => metrics.text(),
    version,
  });
}

function cleanUp(cleanUps: readonly (() => void)[], terminal: Terminal): void {
  for (const task of cleanUps) {
    try {
      task();
    } catch (error) {
      reportErrors(terminal, up, [messageOf(error)]);
    }
  }
}

/** Creates the objects of the manifests in order, but for those that a data directory has; the first error is one sentence. */
async function applyManifests(
  { manifests, isKept }: { readonly manifests: readonly Manifest[]; readonly isKept: boolean },
  { client }: Cluster,
  terminal: Terminal,
): Promise<string | undefined> {
  for (const { resource, object, title } of manifests) {
    terminal.progress?.(`creating ${title}`);
    try {
      await client.create(resource, object);
    } catch (error) {
      if (isKept && isAlreadyExists(error)) continue;
      return `${title}: ${messageOf(error)}`;
    }
  }
  return undefined;
}

function welcome(
  { nodes, zones, kubeconfig, mergesKubeconfig }: UpSettings,
  url: string,
  tookMs: number,
): string {
  return [
    `trimtab is ready: ${nodes} nodes in ${zones} zones at ${url} (${(tookMs / 1000).toFixed(1)} s)`,
    "",
    "In another terminal:",
    "",
    mergesKubeconfig ? `  kubectl config use-context ${contextName}` : `  export KUBECONFIG=${kubeconfig}`,
    "  kubectl get nodes",
    "  kubectl run web --image=nginx",
    "  kubectl get pods -o wide --watch",
    "",
    "Ctrl-C ends it.",
  ].join("\n");
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
