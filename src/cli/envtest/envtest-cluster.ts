import { existsSync } from "node:fs";
import path from "node:path";
import type { ApiServerAccess } from "../../cluster/apiserver/create-api-server.ts";
import { localExtensionServers } from "../../cluster/extension-access.ts";
import { makeFolder } from "../../cluster/make-folder.ts";
import type { OutsideRequestsFactory } from "../../cluster/outside-requests.ts";
import { localPickers } from "../../cluster/network-pickers.ts";
import { replaceFile } from "../../cluster/replace-file.ts";
import { type Cluster, startCluster } from "../../cluster/start-cluster.ts";
import { MemoryStore } from "../../cluster/store/memory-store.ts";
import { localWebhooks } from "../../cluster/webhook-access.ts";
import type { KeyPair } from "../../machinery/certificates/certificate.ts";
import type { WallClock } from "../../machinery/clock/wall-clock.ts";
import { ownCertificate, readCertificate } from "../../machinery/https-server/serving-certificate.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import { prometheusMetrics } from "../../machinery/metrics/prometheus-metrics.ts";
import { systemRandom } from "../../machinery/random/system-random.ts";
import { emptyAllowList } from "../../picker/addresses/address-policy.ts";
import { packageVersion } from "../installed-package.ts";
import { heapReader, processHeap } from "../up/process-heap.ts";
import type { ApiServerSettings } from "./api-server-settings.ts";
import type { EnvtestComponents } from "./envtest-components.ts";

/** The part of the heap that superseded and deleted objects may take. */
const historyShare = 16;

export interface EnvtestClusterOptions {
  readonly settings: ApiServerSettings;
  readonly components: Extract<EnvtestComponents, { readonly ok: true }>;
  readonly clock: WallClock;
  readonly log: Logger;
  /** What the requests of the suite pass through; absent: nothing. */
  readonly outsideRequests?: OutsideRequestsFactory | undefined;
}

/** A cluster that listens as kube-apiserver was told to. */
export interface EnvtestCluster extends Pick<Cluster, "stop"> {
  readonly access: ApiServerAccess;
}

/** Starts the cluster that stands for a kube-apiserver; throws one sentence when it cannot listen as it was told to. */
export async function startEnvtestCluster(options: EnvtestClusterOptions): Promise<EnvtestCluster> {
  const { settings, components, clock, log, outsideRequests } = options;
  const certificate = certificateFor(settings, clock);
  const metrics = prometheusMetrics();
  const listening = { url: "" };
  const reachable = { allowed: emptyAllowList };
  const cluster = await startCluster({
    clock,
    random: systemRandom(),
    log,
    metrics,
    metricsText: () => metrics.text(),
    version: packageVersion(),
    store: new MemoryStore({ clock, maxHistoryBytes: processHeap.read().limitBytes / historyShare }),
    heap: heapReader(clock),
    nodes: components.nodes,
    runs: components.runs,
    gates: { apiServer: () => settings.gates, controllers: () => settings.gates },
    apiServer: settings.choices,
    pickerConnector: localPickers({
      ...reachable,
      version: packageVersion(),
      apiServer: () => listening.url,
    }),
    webhooks: localWebhooks(reachable),
    extensionServers: localExtensionServers(reachable),
    ...(outsideRequests !== undefined && { outsideRequests }),
  });
  const { host, port, choices } = settings;
  const { clientAuthority } = choices;
  try {
    const access = await cluster.server.listen({
      host,
      port,
      certificate,
      ...(clientAuthority !== undefined && { clientAuthority }),
    });
    listening.url = access.url;
    return { access, stop: cluster.stop };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** Reads the certificate of the server; as in kube-apiserver, one is made in a folder that has none. */
function certificateFor(
  { certificate: files, makesCertificate }: ApiServerSettings,
  clock: WallClock,
): KeyPair {
  if (makesCertificate && !existsSync(files.certificate) && !existsSync(files.key)) {
    const made = ownCertificate({ clock, random: systemRandom() });
    makeFolder(path.dirname(files.certificate));
    replaceFile(files.certificate, made.certificate);
    replaceFile(files.key, made.key);
    return made;
  }
  const found = readCertificate(files);
  if (!found.ok) throw new Error(found.problem);
  return found.pair;
}
