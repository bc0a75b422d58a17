import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { messageOf } from "../../api/message-of.ts";
import { type Instant, parseTime } from "../../api/time.ts";
import { configurationPath } from "../../cluster/configuration-endpoint.ts";
import type { ClusterObjects, CollectionName } from "../../decisions/explain/cluster-objects.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import type { Connection } from "../../machinery/client/connection/connection.ts";
import type { HttpsClient } from "../../machinery/client/http/https-client.ts";
import { readOnlyClient } from "../../machinery/client/intercept-client.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import type { DecidedBy } from "../../decisions/explain/decided-by.ts";
import { readSnapshotFile } from "../../simulation/snapshot/read-snapshot.ts";
import { readClusterObjects, type ReadScope } from "../../simulation/snapshot/read-cluster-objects.ts";
import { type EmbeddedConfiguration, readEmbeddedConfiguration } from "./embedded-configuration.ts";

/** A cluster as an explanation sees it: its objects, at its time. */
export interface ObservedCluster {
  readonly objects: ClusterObjects;
  readonly now: Instant;
  /** Whether `trimtab up` runs it. */
  readonly isEmbedded: boolean;
  /** How its controllers decide, if an embedded cluster says so. */
  readonly configuration?: EmbeddedConfiguration;
  /** Whose controllers decide there, if a snapshot says so. */
  readonly decidedBy?: DecidedBy;
  /** What could not be read. */
  readonly notes: readonly string[];
  /** The collections that could not be read. */
  readonly leftOut: readonly string[];
}

export type ViewResult =
  | { readonly ok: true; readonly view: ObservedCluster }
  | {
      readonly ok: false;
      readonly problems: readonly string[];
      /** Whether nothing is missing but permissions. */
      readonly isRefused?: boolean;
    };

/** A view, and the only namespace that it has; absent: all. */
export type AllowedView = ViewResult & { readonly onlyNamespace?: string };

/** What is read of the whole cluster, and of one namespace for a user who may read no more. */
export interface AllowedScope {
  readonly required: readonly CollectionName[];
  readonly namespace: string;
  readonly requiredOfNamespace: readonly CollectionName[];
}

/** Reads the whole cluster, or the one namespace where the lists of the whole cluster are refused. */
export async function viewAsAllowed(
  client: HttpsClient,
  { connection, scope }: { readonly connection: Connection; readonly scope: AllowedScope },
  signal: AbortSignal,
): Promise<AllowedView> {
  const { required, namespace, requiredOfNamespace } = scope;
  const whole = await viewCluster(client, { connection, scope: { required } }, signal);
  if (whole.ok || whole.isRefused !== true) return whole;
  const narrow = { namespace, required: requiredOfNamespace };
  const one = await viewCluster(client, { connection, scope: narrow }, signal);
  if (!one.ok) return whole;
  const unseen = one.view.leftOut.length === 0 ? "" : ` Not seen: ${one.view.leftOut.join(", ")}.`;
  const note = `Only namespace ${namespace} was read, since this user may not list the whole cluster.${unseen}`;
  return { ok: true, view: { ...one.view, notes: [note] }, onlyNamespace: namespace };
}

/** Reads a cluster; returns every problem as a sentence. */
export async function viewCluster(
  client: HttpsClient,
  { connection, scope }: { readonly connection: Connection; readonly scope: ReadScope },
  signal: AbortSignal,
): Promise<ViewResult> {
  const read = await readClusterObjects(readOnlyClient(client), scope, signal);
  if (!read.ok)
    return {
      ok: false,
      isRefused: read.isRefused,
      problems: read.problems.map((problem) => `${connection.server}: ${problem}`),
    };
  const { objects, notes, leftOut } = read;
  try {
    const isEmbedded = await isEmbeddedCluster(client, signal);
    const now = isEmbedded ? await embeddedTime(client, signal) : undefined;
    const configuration = isEmbedded
      ? readEmbeddedConfiguration(await answerOf(client, configurationPath, signal))
      : undefined;
    return {
      ok: true,
      view: {
        objects,
        notes,
        leftOut,
        isEmbedded,
        now: now ?? new WallClock().now(),
        ...(configuration && { configuration }),
      },
    };
  } catch (error) {
    if (signal.aborted) throw error;
    return { ok: false, problems: [`${connection.server}: ${messageOf(error)}`] };
  }
}

/** The view of a file that `trimtab snapshot` has written; `namespace` is the one it was taken of, if there is one. */
export function viewSnapshot(file: string): ViewResult & { readonly namespace?: string | undefined } {
  const read = readSnapshotFile(file, readTextFile);
  if (!read.ok) return read;
  const { objects, takenAt, controllers, namespace } = read.snapshot;
  const decidedBy = controllers === undefined ? assumedStock(file) : saidBy(file, controllers);
  const isEmbedded = controllers === "embedded";
  return {
    ok: true,
    namespace,
    view: { objects, now: takenAt, isEmbedded, decidedBy, notes: [], leftOut: [] },
  };
}

function saidBy(file: string, controllers: DecidedBy["controllers"]): DecidedBy {
  const profile = controllers === "stock" ? "kubernetes-1.36" : "trimtab";
  return { profile, controllers, how: "found", because: `${file} says so` };
}

function assumedStock(file: string): DecidedBy {
  const because = `${file} does not say whose controllers decide`;
  return { profile: "kubernetes-1.36", controllers: "stock", how: "assumed", because };
}

/** Whether `trimtab up` runs the cluster, as its version says. */
export async function isEmbeddedCluster(client: HttpsClient, signal: AbortSignal): Promise<boolean> {
  const { gitVersion } = await answerOf(client, "/version", signal);
  return typeof gitVersion === "string" && gitVersion.includes("-trimtab.");
}

/** Returns the time of an embedded cluster, which may run faster than the wall clock or be paused. */
async function embeddedTime(client: HttpsClient, signal: AbortSignal): Promise<Instant | undefined> {
  const { time } = await answerOf(client, "/debug/time", signal);
  return typeof time === "string" ? parseTime(time) : undefined;
}

/** Returns the response to a GET of a path; empty if the API server does not serve it to this user. */
async function answerOf(
  client: HttpsClient,
  path: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await client.requestPath("GET", path, { signal });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error; // a lost connection says nothing about the cluster
    return {};
  }
}
