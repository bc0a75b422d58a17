import { messageOf } from "../../api/message-of.ts";
import type { ClusterGates } from "../../cluster/cluster-options.ts";
import type { EmbeddedClusterOptions } from "../../cluster/embedding/embedding-options.ts";
import { startEmbeddedCluster } from "../../cluster/embedding/start-embedded-cluster.ts";
import type { NodeGroup } from "../../cluster/node-groups/node-group.ts";
import { localPickers } from "../../cluster/picker-access.ts";
import { localWebhooks } from "../../cluster/webhook-access.ts";
import { contextName, writeKubeconfig } from "../../cluster/write-kubeconfig.ts";
import { isAlreadyExists } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import { kubeconfigPaths } from "../../machinery/client/kubeconfig.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { pinoLogger } from "../../machinery/log/pino-logger.ts";
import { prometheusMetrics } from "../../machinery/metrics/prometheus-metrics.ts";
import type { SchedulerConfig } from "../../scheduler/configuration/scheduler-config.ts";
import { type Command, reportErrors, type Terminal } from "../command.ts";
import { mergeKubeconfig } from "../merge-kubeconfig.ts";
import { packageVersion } from "../package-version.ts";
import { heapReader, processHeap } from "../process-heap.ts";
import { type Manifest, readManifests } from "../read-manifests.ts";
import { readNodesFile } from "../read-nodes-file.ts";
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
    const files = readFiles(settings);
    if (!files.ok) return reportErrors(terminal, up, files.problems);
    for (const warning of files.warnings) terminal.err(`trimtab up: ${warning}`);
    return run({ ...settings, ...files }, terminal);
  },
};

/** What the files that the flags name contain. */
interface ReadFiles {
  readonly manifests: readonly Manifest[];
  readonly schedulerConfig: SchedulerConfig;
  readonly groups: readonly NodeGroup[] | undefined;
  readonly warnings: readonly string[];
}

type PreparedSettings = Omit<UpSettings, "manifests"> & ReadFiles;

/** Reads all files; returns the errors of all. */
function readFiles(
  settings: UpSettings,
): ({ readonly ok: true } & ReadFiles) | { readonly ok: false; readonly problems: readonly string[] } {
  const { nodesFile, gates } = settings;
  const manifests = readManifests(settings.manifests);
  const schedulerGates = gates.components.scheduler ?? gates.controllers;
  const scheduler = readSchedulerConfig(settings.schedulerConfigFile, schedulerGates());
  const nodes = nodesFile === undefined ? undefined : readNodesFile(nodesFile);
  if (manifests.ok && scheduler.ok && nodes?.ok !== false) {
    const { config: schedulerConfig, warnings } = scheduler;
    return { ok: true, manifests: manifests.manifests, schedulerConfig, warnings, groups: nodes?.groups };
  }
  const problems = [
    ...(manifests.ok ? [] : [manifests.problem]),
    ...(scheduler.ok ? [] : scheduler.problems),
    ...(nodes?.ok === false ? nodes.problems : []),
  ];
  return { ok: false, problems };
}

/** The part of the heap that superseded and deleted objects may take: 256 MiB of Node's usual 4 GiB. */
const historyShare = 16;

/** Starts the cluster, prints how to use it, and waits until the user interrupts it. */
async function run(settings: PreparedSettings, terminal: Terminal): Promise<number> {
  const clock = new WallClock();
  const startedAt = clock.now();
  const { dataDirectory } = settings;
  if (dataDirectory !== undefined) terminal.progress?.(`reading ${dataDirectory}`);
  terminal.progress?.(`starting ${describeNodes(settings)}`);
  const cleanUps: (() => void)[] = [];
  let stop: () => Promise<void> = () => Promise.resolve();
  try {
    const cluster = await start(settings, clock);
    stop = cluster.stop;
    const { access, client } = cluster;
    cleanUps.push(writeKubeconfig(settings.kubeconfig, access));
    const [own] = kubeconfigPaths(process.env);
    if (settings.mergesKubeconfig && own !== undefined) cleanUps.push(mergeKubeconfig(own, access));
    const refused = await applyManifests(settings, client, terminal);
    if (refused !== undefined) return reportErrors(terminal, up, [refused]);
    terminal.out(welcome(settings, access.url, clock.now() - startedAt));
    await untilAborted(terminal.interrupted);
    terminal.out("trimtab: stopping");
    return 0;
  } catch (error) {
    return reportErrors(terminal, up, [messageOf(error)]);
  } finally {
    await stop();
    cleanUp(cleanUps, terminal); // last: the cluster has to stop whatever happened to the files
  }
}

async function start(settings: PreparedSettings, clock: WallClock) {
  const metrics = prometheusMetrics();
  const version = packageVersion();
  const listening = { url: "" };
  const { dataDirectory, groups, nodes } = settings;
  const cluster = await startEmbeddedCluster({
    nodes: groups ?? nodes,
    zones: settings.zones,
    speed: settings.speed,
    https: { port: settings.port },
    without: settings.without,
    schedulerConfig: settings.schedulerConfig,
    pickerConnector: localPickers({ ...settings.pickers, version, apiServer: () => listening.url }),
    webhooks: localWebhooks(settings.webhooks),
    gates: gateChoices(settings.gates),
    log: pinoLogger({ level: settings.logLevel, clock }),
    ...(dataDirectory !== undefined && { dataDir: dataDirectory }),
    maxHistoryBytes: processHeap.read().limitBytes / historyShare,
    heap: heapReader(clock),
    metrics,
    metricsText: () => metrics.text(),
    version,
  });
  listening.url = cluster.access.url;
  return cluster;
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
      reportErrors(terminal, up, [messageOf(error)]);
    }
  }
}

/** Creates the objects of the manifests in order, but for those that a data directory has; the first error is one sentence. */
async function applyManifests(
  { manifests, dataDirectory }: PreparedSettings,
  client: Client,
  terminal: Terminal,
): Promise<string | undefined> {
  for (const { resource, object, title } of manifests) {
    terminal.progress?.(`creating ${title}`);
    try {
      await client.create(resource, object);
    } catch (error) {
      if (dataDirectory !== undefined && isAlreadyExists(error)) continue;
      return `${title}: ${messageOf(error)}`;
    }
  }
  return undefined;
}

function describeNodes({
  groups,
  nodes,
  zones,
}: Pick<PreparedSettings, "groups" | "nodes" | "zones">): string {
  if (groups === undefined) return `${nodes} nodes in ${zones} zones`;
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return `${count} nodes in ${groups.length} groups`;
}

function welcome(settings: PreparedSettings, url: string, tookMs: number): string {
  const { kubeconfig, mergesKubeconfig, speed } = settings;
  const pace = speed === 1 ? "" : `, time passes ${speed} times as fast`;
  return [
    `trimtab is ready: ${describeNodes(settings)} at ${url}${pace} (${(tookMs / 1000).toFixed(1)} s)`,
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
