import { clusterResources, type CollectionName } from "../../decisions/explain/cluster-objects.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import type { ProfileConfig } from "../../scheduler/configuration/scheduler-config.ts";
import { type Snapshot, takeSnapshot } from "../../simulation/snapshot/snapshot.ts";
import type { Command, Invocation } from "../command.ts";
import { type ObservedCluster, viewAsAllowed, viewCluster } from "./cluster-view.ts";
import type { FeatureGates } from "../../api/feature-gates.ts";
import { findInspectedCluster } from "./inspected-cluster.ts";
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
export async function takeAllowedSnapshot(
  { command, flags, required }: Omit<LiveSnapshotOptions, "onlyNamespace">,
  signal: AbortSignal,
): Promise<LiveSnapshot> {
  const found = findInspectedCluster(flags);
  if (!found.ok) return found;
  const { connection, namespace } = found;
  const client = await clientOf(connection, { command, clock: new WallClock() });
  try {
    const requiredOfNamespace = required.filter((name) => clusterResources[name].namespaced);
    const scope = { required, namespace, requiredOfNamespace };
    const seen = await viewAsAllowed(client, { connection, scope }, signal);
    return seen.ok ? snapshotOf(seen.view, { namespace, onlyNamespace: seen.onlyNamespace }) : seen;
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

/** Reads the objects of a cluster, with `list` requests alone, and keeps what a snapshot has of them. */
export async function takeLiveSnapshot(
  { command, flags, onlyNamespace, required }: LiveSnapshotOptions,
  signal: AbortSignal,
): Promise<LiveSnapshot> {
  const found = findInspectedCluster(flags);
  if (!found.ok) return found;
  const { connection, namespace } = found;
  const client = await clientOf(connection, { command, clock: new WallClock() });
  try {
    const scope = { namespace: onlyNamespace, required };
    const seen = await viewCluster(client, { connection, scope }, signal);
    return seen.ok ? snapshotOf(seen.view, { namespace, onlyNamespace }) : seen;
  } finally {
    await client.close();
  }
}
