import { readDocument } from "../../api/documents/read-document.ts";
import { formatFieldError } from "../../api/field-error.ts";
import { createCertificateAuthority } from "../../machinery/certificates/certificate.ts";
import { AdjustableClock } from "../../machinery/clock/adjustable-clock.ts";
import { type Clock, networkClock } from "../../machinery/clock/clock.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { silentLogger } from "../../machinery/log/logger.ts";
import { type Random, seededRandom } from "../../machinery/random/random.ts";
import { systemRandom } from "../../machinery/random/system-random.ts";
import { emptyAllowList } from "../../picker/addresses/address-policy.ts";
import type { ApiServerAccess } from "../apiserver/create-api-server.ts";
import { ClusterOptionsError } from "../cluster-options.ts";
import { type DataDirectory, openDataDirectory } from "../data-directory/open-data-directory.ts";
import { localPickers } from "../network-pickers.ts";
import { type Cluster, startCluster } from "../start-cluster.ts";
import { MemoryStore } from "../store/memory-store.ts";
import { localExtensionServers } from "../extension-access.ts";
import { localWebhooks } from "../webhook-access.ts";
import { kubeconfigText } from "../write-kubeconfig.ts";
import { createManifests } from "./create-manifests.ts";
import { clusterGates } from "./embedding-gates.ts";
import {
  type EmbeddedClusterOptions,
  type HttpsOptions,
  type ProgramOptions,
  embeddingSchema,
  timeOfKept,
} from "./embedding-options.ts";

/** The options that apply when none are given. */
interface DefaultOptions extends EmbeddedClusterOptions {
  readonly clock?: "wall";
  readonly https?: false;
}

/** The type of an option, `undefined` where the options do not have it. */
type OptionOf<O, Name extends string> =
  O extends Readonly<Partial<Record<Name, infer T>>> ? (unknown extends T ? undefined : T) : undefined;

/** The clock of a cluster that was started with this option. */
type ClockOf<T> = T extends "virtual" ? VirtualClock : T extends Clock ? T : AdjustableClock;

/** Whether the API server listens; `boolean` where the types of the options do not say. */
type IsServed<T> = T extends true | HttpsOptions ? true : false;

/** The cluster that is started with these options. */
type StartedWith<O> = EmbeddedCluster<ClockOf<OptionOf<O, "clock">>, IsServed<OptionOf<O, "https">>>;

/** A cluster that runs in this process, and the means to use it. */
export interface EmbeddedCluster<C extends Clock = Clock, Served extends boolean = boolean> extends Cluster {
  /** The time of the cluster. */
  readonly clock: C;
  /** For any other client: the text of a kubeconfig with the address, the certificate authority and the administrator's token. */
  readonly kubeconfig: Served extends true ? string : undefined;
  /** Where the API server listens, and what clients need to connect. */
  readonly access: Served extends true ? ApiServerAccess : undefined;
  /** Stops everything, and resolves when nothing is left; a second call waits for the first. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a cluster in this process: API server, simulated nodes and all components; resolves when it is ready. Clusters
 * share nothing: any number may run side by side. Throws a `ClusterOptionsError` with every mistake in the options.
 */
export async function startEmbeddedCluster<const O extends EmbeddedClusterOptions = DefaultOptions>(
  options?: O,
): Promise<StartedWith<O>> {
  return startProgramCluster(options, {});
}

/** Starts an embedded cluster for one of our own commands, which adds what concerns the whole process. */
export async function startProgramCluster<const O extends EmbeddedClusterOptions>(
  options: O | undefined,
  program: ProgramOptions,
): Promise<StartedWith<O>> {
  const read = readDocument(embeddingSchema, options ?? {});
  if (!read.ok) throw new ClusterOptionsError(read.errors.map(formatFieldError));
  const { value: given } = read;
  const foundations = { clock: clockOf(given), random: randomOf(given) };
  const storage = await storageOf({ ...given, ...program }, foundations);
  const listening = { url: "" };
  const cluster = await startWith({ ...given, ...program }, { ...foundations, storage, listening });
  const stop = stopOnce(cluster, foundations.clock);
  try {
    const served = await serve(cluster, given, storage);
    listening.url = served.access?.url ?? "";
    await createManifests(cluster, given.manifests ?? []);
    // The types of these members follow from the options.
    return { ...cluster, ...served, clock: foundations.clock, stop } as StartedWith<O>;
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Foundations {
  readonly clock: Clock;
  readonly random: Random;
}

/** The store and the credentials; where nothing is kept on disk, the API server creates the credentials. */
type Storage = Pick<DataDirectory, "store"> & Partial<DataDirectory>;

type AllOptions = EmbeddedClusterOptions & ProgramOptions;

async function startWith(
  options: AllOptions,
  made: Foundations & { readonly storage: Storage; readonly listening: { readonly url: string } },
): Promise<Cluster> {
  const { clock, random, storage, listening } = made;
  try {
    return await startCluster({
      ...reach(clock, listening),
      ...options,
      ...storage,
      clock,
      random,
      gates: clusterGates(options.gates ?? {}),
      fixedTime: options.dataDir === undefined ? undefined : timeOfKept,
    });
  } catch (error) {
    await storage.store.close();
    throw error;
  }
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
async function storageOf(options: AllOptions, { clock, random }: Foundations): Promise<Storage> {
  const { dataDir, maxHistoryBytes, log = silentLogger, store, https = false } = options;
  // Clients need the history of the last minutes, in wall time.
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

/** Reaches pickers, webhooks and extension API servers on this machine; a cluster in virtual time has none, so that every run is the same. */
function reach(clock: Clock, listening: { readonly url: string }) {
  if (clock instanceof VirtualClock) return {};
  return {
    pickerConnector: localPickers({ allowed: emptyAllowList, apiServer: () => listening.url }),
    webhooks: localWebhooks({ allowed: emptyAllowList }),
    extensionServers: localExtensionServers({ allowed: emptyAllowList }),
  };
}

/** Serves the API over HTTPS, if the options say so. */
async function serve(
  { server }: Cluster,
  { https = false }: EmbeddedClusterOptions,
  { authority }: Storage,
): Promise<{ readonly access?: ApiServerAccess; readonly kubeconfig?: string }> {
  if (https === false) return {};
  const { port = 0, context } = https === true ? {} : https;
  const access = await server.listen({ port, ...(authority !== undefined && { authority }) });
  return { access, kubeconfig: kubeconfigText({ ...access, context }) };
}

function stopOnce(cluster: Cluster, clock: Clock): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  return () => {
    if (clock instanceof AdjustableClock) clock.resume();
    return (stopping ??=
      clock instanceof VirtualClock ? clock.runUntilSettled(cluster.stop()) : cluster.stop());
  };
}
