import { clusterResources, type CollectionName } from "../../decisions/explain/cluster-objects.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import type { HttpsClient } from "../../machinery/client/http/https-client.ts";
import type { ProfileConfig } from "../../scheduler/configuration/scheduler-config.ts";
import { type Snapshot, takeSnapshot } from "../../simulation/snapshot/snapshot.ts";
import type { Command, Invocation } from "../command.ts";
import { type AllowedView, type ObservedCluster, viewAsAllowed, viewCluster } from "./cluster-view.ts";
import type { FeatureGates } from "../../api/feature-gates.ts";
import { findInspectedCluster, type InspectedCluster } from "./inspected-cluster.ts";
import { clientOf } from "./run-on-cluster.ts";

/** A snapshot of the cluster that flags name, with what could not be read, or why there is none. */
export type LiveSnapshot =
  | {
      readonly ok: true;
      readonly snapshot: Snapshot;
      /** The namespace of the names in flags. */
      readonly namespace: string;
      readonly notes: readonly string[];
      /** The feature gates there, if an embedded cluster says them. */
      readonly gates?: FeatureGates | undefined;
      /** The profiles of the scheduler there, if an embedded cluster says them. */
      readonly schedulerProfiles?: readonly ProfileConfig[] | undefined;
    }
  | { readonly ok: false; readonly problems: readonly string[] };

export interface LiveSnapshotOptions {
  readonly command: Command;
  readonly flags: Invocation["flags"];
  /** Reads objects of this namespace alone; absent: of all. */
  readonly onlyNamespace?: string | undefined;
  /** Collections without which there is no snapshot. */
  readonly required: readonly CollectionName[];
}

/** Reads the whole cluster for a what-if, or the namespace of the flags where a user may list no more: nodes are assumed then. */
export function takeAllowedSnapshot(
  { command, flags, required }: Omit<LiveSnapshotOptions, "onlyNamespace">,
  signal: AbortSignal,
): Promise<LiveSnapshot> {
  const requiredOfNamespace = required.filter((name) => clusterResources[name].namespaced);
  return snapshotOfView({ command, flags }, (client, { connection, namespace }) =>
    viewAsAllowed(client, { connection, scope: { required, namespace, requiredOfNamespace } }, signal),
  );
}

/** Reads the objects of a cluster, with `list` requests alone, and keeps what a snapshot has of them. */
export function takeLiveSnapshot(
  { command, flags, onlyNamespace, required }: LiveSnapshotOptions,
  signal: AbortSignal,
): Promise<LiveSnapshot> {
  return snapshotOfView({ command, flags }, async (client, { connection }) => {
    const scope = { namespace: onlyNamespace, required };
    const seen = await viewCluster(client, { connection, scope }, signal);
    return { ...seen, ...(onlyNamespace !== undefined && { onlyNamespace }) };
  });
}

/** Connects to the cluster of the flags, and makes a snapshot of what is seen of it. */
async function snapshotOfView(
  { command, flags }: Pick<LiveSnapshotOptions, "command" | "flags">,
  view: (client: HttpsClient, cluster: Extract<InspectedCluster, { ok: true }>) => Promise<AllowedView>,
): Promise<LiveSnapshot> {
  const found = findInspectedCluster(flags);
  if (!found.ok) return found;
  const client = await clientOf(found.connection, { command, clock: new WallClock() });
  try {
    const seen = await view(client, found);
    if (!seen.ok) return seen;
    const { namespace } = found;
    return snapshotOf(seen.view, { namespace, onlyNamespace: seen.onlyNamespace });
  } finally {
    await client.close();
  }
}

function snapshotOf(
  { objects, now, notes, configuration }: ObservedCluster,
  { namespace, onlyNamespace }: { readonly namespace: string; readonly onlyNamespace: string | undefined },
): Extract<LiveSnapshot, { ok: true }> {
  const snapshot = takeSnapshot(objects, { now, namespace: onlyNamespace });
  const { gates, schedulerProfiles } = configuration ?? {};
  return { ok: true, snapshot, namespace, notes, gates, schedulerProfiles };
}
