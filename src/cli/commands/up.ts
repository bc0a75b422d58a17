import { messageOf } from "../../api/message-of.ts";
import { createCertificateAuthority } from "../../machinery/certificates/certificate.ts";
import { localPickers } from "../../cluster/picker-access.ts";
import { localWebhooks } from "../../cluster/webhook-access.ts";
import { type Cluster, startCluster } from "../../cluster/start-cluster.ts";
import { MemoryStore } from "../../cluster/store/memory-store.ts";
import { contextName, writeKubeconfig } from "../../cluster/write-kubeconfig.ts";
import { kubeconfigPaths } from "../../machinery/client/kubeconfig.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { prometheusMetrics } from "../../machinery/metrics/prometheus-metrics.ts";
import { pinoLogger } from "../../machinery/log/pino-logger.ts";
import { systemRandom } from "../../machinery/random/system-random.ts";
import type { SchedulerConfig } from "../../scheduler/configuration/scheduler-config.ts";
import { type Command, reportErrors, type Terminal } from "../command.ts";
import { heapReader, processHeap } from "../process-heap.ts";
import { mergeKubeconfig } from "../merge-kubeconfig.ts";
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
    const scheduler = readSchedulerConfig(settings.schedulerConfigFile, settings.gates);
    if (!scheduler.ok) return reportErrors(terminal, up, scheduler.problems);
    for (const warning of scheduler.warnings) terminal.err(`trimtab up: ${warning}`);
    return run({ ...settings, schedulerConfig: scheduler.config }, read.manifests, terminal);
  },
};

interface PreparedSettings extends UpSettings {
  readonly schedulerConfig: SchedulerConfig;
}

/** The part of the heap that superseded and deleted objects may take: 256 MiB of Node's usual 4 GiB. */
const historyShare = 16;

/** Starts the cluster, prints how to use it, and waits until the user interrupts it. */
async function run(
  settings: PreparedSettings,
  manifests: readonly Manifest[],
  terminal: Terminal,
): Promise<number> {
  const clock = new WallClock();
  const random = systemRandom();
  const startedAt = clock.now();
  const metrics = prometheusMetrics();
  const authority = createCertificateAuthority(clock.now(), random.fork("authority"));
  const gates = () => settings.gates;
  const version = packageVersion();
  const listening = { url: "" };
  const cleanUps: (() => void)[] = [];
  terminal.progress?.(`starting ${settings.nodes} nodes in ${settings.zones} zones`);
  const cluster = await startCluster({
    clock,
    random,
    nodes: settings.nodes,
    zones: settings.zones,
    without: settings.without,
    schedulerConfig: settings.schedulerConfig,
    pickerConnector: localPickers({ ...settings.pickers, version, apiServer: () => listening.url }),
    webhooks: localWebhooks(settings.webhooks),
    gates: { apiServer: gates, controllers: gates },
    log: pinoLogger({ level: settings.logLevel, clock }),
    store: new MemoryStore({ clock, maxHistoryBytes: processHeap.read().limitBytes / historyShare }),
    heap: heapReader(clock),
    metrics,
    metricsText: () => metrics.text(),
    authority,
    version,
  });
  try {
    const access = await cluster.server.listen({ port: settings.port, authority });
    listening.url = access.url;
    cleanUps.push(writeKubeconfig(settings.kubeconfig, access));
    const [own] = kubeconfigPaths(process.env);
    if (settings.mergesKubeconfig && own !== undefined) cleanUps.push(mergeKubeconfig(own, access));
    const refused = await applyManifests(manifests, cluster, terminal);
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

function cleanUp(cleanUps: readonly (() => void)[], terminal: Terminal): void {
  for (const task of cleanUps) {
    try {
      task();
    } catch (error) {
      reportErrors(terminal, up, [messageOf(error)]);
    }
  }
}

/** Creates the objects of the manifests in order; the first error is one sentence. */
async function applyManifests(
  manifests: readonly Manifest[],
  { client }: Cluster,
  terminal: Terminal,
): Promise<string | undefined> {
  for (const { resource, object, title } of manifests) {
    terminal.progress?.(`creating ${title}`);
    try {
      await client.create(resource, object);
    } catch (error) {
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
