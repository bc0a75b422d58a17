import type { Client } from "../../machinery/client/client.ts";
import { readClusterObjects } from "./read-cluster-objects.ts";
import { type Snapshot, type SnapshotOptions, takeSnapshot } from "./snapshot.ts";

/**
 * Takes a snapshot of the cluster of a client, simulated, embedded or any other, with `list` requests alone. Throws an
 * error that names the permissions which are missing for a simulation; what else may not be listed is left out.
 */
export async function snapshotOfCluster(
  client: Client,
  { now, namespace }: SnapshotOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<Snapshot> {
  const required = ["nodes", "pods", "replicaSets", "deployments"] as const;
  const read = await readClusterObjects(client, { namespace, required }, signal);
  if (!read.ok) throw new Error(read.problems.join("; "));
  return takeSnapshot(read.objects, { now, namespace });
}
