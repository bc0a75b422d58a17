import {
  type CertificateAuthority,
  createCertificateAuthority,
} from "../../machinery/certificates/certificate.ts";
import { AdjustableClock } from "../../machinery/clock/adjustable-clock.ts";
import { type Clock, networkClock } from "../../machinery/clock/clock.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { silentLogger } from "../../machinery/log/logger.ts";
import { type Random, seededRandom } from "../../machinery/random/random.ts";
import { systemRandom } from "../../machinery/random/system-random.ts";
import { emptyAllowList } from "../../picker/address-policy.ts";
import type { ApiServerAccess } from "../apiserver/create-api-server.ts";
import { openDataDirectory } from "../data-directory/open-data-directory.ts";
import { localPickers } from "../picker-access.ts";
import { type Cluster, startCluster } from "../start-cluster.ts";
import { MemoryStore } from "../store/memory-store.ts";
import { localWebhooks } from "../webhook-access.ts";
import { kubeconfigText } from "../write-kubeconfig.ts";
import {
  ClusterOptionsError,
  clusterGates,
  type EmbeddedClusterOptions,
  type HttpsOptions,
  optionProblems,
  timeOfKept,
} from "./embedding-options.ts";

/** The clock of a cluster that was started with these options. */
type ClockOf<O> = O extends { readonly clock: infer C }
  ? C extends "virtual"
    ? VirtualClock
    : C extends Clock
      ? C
      : AdjustableClock
  : AdjustableClock;

/** Whether its API server listens; `boolean` where the options do not say so before they are read. */
type IsServed<O> = O extends { readonly https: infer H }
  ? H extends object
    ? true
    : H extends true
      ? true
      : false
  : false;

/** A cluster that runs in this process, and the means to use it. */
export interface EmbeddedCluster<C extends Clock = Clock, Served extends boolean = boolean> extends Cluster {
  /** The time of the cluster. */
  readonly clock: C;
  /** For any other client: the text of a kubeconfig with the address, the certificate authority and the administrator's token. */
  readonly kubeconfig: Served extends true ? string : undefined;
  /** Where the API server listens, and with what. */
  readonly access: Served extends true ? ApiServerAccess : undefined;
  /** Stops everything, and resolves when nothing is left; a second call waits for the first. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a cluster in this process: API server, simulated nodes and all components; resolves when it is ready. Clusters
 * share nothing: any number may run side by side. Throws a `ClusterOptionsError` with every mistake in the options.
 */
export async function startEmbeddedCluster<const O extends EmbeddedClusterOptions = Record<never, never>>(
  options?: O,
): Promise<EmbeddedCluster<ClockOf<O>, IsServed<O>>> {
  const given = withoutAbsent(options ?? {});
  const problems = optionProblems(given);
  if (problems.length > 0) throw new ClusterOptionsError(problems);
  const clock = clockOf(given);
  const random = randomOf(given);
  const storage = await storageOf(given, { clock, random });
  const listening = { url: "" };
  const { gates = {}, https = false, dataDir } = given;
  const cluster = await startCluster({
    ...reach(clock, listening),
    ...given,
    ...storage,
    clock,
    random,
    gates: clusterGates(gates),
    fixedTime:
      dataDir === undefined ? undefined : `the time of this cluster cannot be changed: ${timeOfKept}`,
  }).catch(async (error: unknown) => {
    await storage.store.close();
    throw error;
  });
  const stop = stopOnce(cluster, clock);
  try {
    const access = https === false ? undefined : await listen(cluster, https, storage.authority);
    listening.url = access?.url ?? "";
    const { context } = typeof https === "object" ? https : {};
    const kubeconfig = access && kubeconfigText({ ...access, context });
    // The types of these three follow from the options.
    return { ...cluster, clock, access, kubeconfig, stop } as EmbeddedCluster<ClockOf<O>, IsServed<O>>;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** An option that is `undefined` has its default. */
function withoutAbsent(options: EmbeddedClusterOptions): EmbeddedClusterOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

interface Foundations {
  readonly clock: Clock;
  readonly random: Random;
}

function clockOf({ clock = "wall", speed = 1 }: EmbeddedClusterOptions): Clock {
  if (typeof clock !== "string") return clock;
  if (clock === "virtual") return new VirtualClock(undefined, new WallClock());
  const adjustable = new AdjustableClock();
  if (speed !== 1) adjustable.setSpeed(speed);
  return adjustable;
}

function randomOf({ seed, random }: EmbeddedClusterOptions): Random {
  if (random !== undefined) return random;
  return seed === undefined ? systemRandom() : seededRandom(seed);
}

/** Opens the data directory, or keeps everything in memory. */
async function storageOf(options: EmbeddedClusterOptions, { clock, random }: Foundations) {
  const { dataDir, maxHistoryBytes, log = silentLogger, store, https = false } = options;
  // Clients need the history of the last minutes, and wait in wall time.
  const storeOptions = { clock: networkClock(clock), maxHistoryBytes };
  const authorityRandom = random.fork("authority");
  if (dataDir === undefined) {
    const created = https !== false && createCertificateAuthority(storeOptions.clock.now(), authorityRandom);
    const authority = options.authority ?? (created === false ? undefined : created);
    return { store: store ?? new MemoryStore(storeOptions), ...(authority !== undefined && { authority }) };
  }
  return openDataDirectory(dataDir, {
    ...storeOptions,
    random: authorityRandom,
    onFailure: (failure) =>
      failure === undefined
        ? log.warn("the data directory can be written again", { dataDir })
        : log.error(failure.message, { dataDir }),
  });
}

/** Pickers and webhooks on this machine; a cluster in virtual time has none, so that every run is the same. */
function reach(clock: Clock, listening: { readonly url: string }) {
  if (clock instanceof VirtualClock) return {};
  return {
    pickerConnector: localPickers({ allowed: emptyAllowList, apiServer: () => listening.url }),
    webhooks: localWebhooks({ allowed: emptyAllowList }),
  };
}

function listen(
  { server }: Cluster,
  https: true | HttpsOptions,
  authority: CertificateAuthority | undefined,
): Promise<ApiServerAccess> {
  const { port = 0 } = https === true ? {} : https;
  return server.listen({ port, ...(authority !== undefined && { authority }) });
}

function stopOnce(cluster: Cluster, clock: Clock): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  return () => {
    if (clock instanceof AdjustableClock) clock.resume();
    return (stopping ??=
      clock instanceof VirtualClock ? clock.runUntilSettled(cluster.stop()) : cluster.stop());
  };
}
