import type { JsonObject } from "../../api/json.ts";
import { apiVersionOf, type Resource } from "../../api/resource.ts";
import { kindByName } from "../../api/schema/table.ts";
import { type Instant, parseTime, formatMicroTime } from "../../api/time.ts";
import {
  type ClusterObjects,
  clusterResources,
  type CollectionName,
  collectionNames,
} from "../../decisions/explain/cluster-objects.ts";
import { type DecidedBy, findDecidedBy } from "../../decisions/explain/decided-by.ts";
import { keepAllowed, withTemplateVariants } from "./keep-allowed.ts";
import { stringify } from "yaml";
import { trimtabApiVersion } from "../../api/documents/document-schema.ts";
import type { Client } from "../../machinery/client/client.ts";
import { readClusterObjects } from "./read-cluster-objects.ts";

/** A cluster at one moment, with the fields that decisions and simulations read and no others. */
export interface Snapshot {
  readonly takenAt: Instant;
  /** The only namespace whose objects it has; absent: all. */
  readonly namespace?: string | undefined;
  /** Whose controllers decide about its workloads; absent: not known. */
  readonly controllers?: DecidedBy["controllers"] | undefined;
  /** Whether names, label values and images were replaced. */
  readonly isAnonymised: boolean;
  readonly objects: ClusterObjects;
}

export const snapshotKind = "Snapshot";

/** What `controllers` may be. */
export const decidingControllers: readonly DecidedBy["controllers"][] = [
  "embedded",
  "external",
  "steered",
  "stock",
];

/** The controllers of a snapshot's cluster; where it does not say, nothing shows that they are Trimtab's. */
export function controllersIn({ controllers = "stock" }: Snapshot): DecidedBy["controllers"] {
  return controllers;
}

/** When a snapshot is taken, and of what. */
interface SnapshotOptions {
  /** The time of the clock that reads the cluster. */
  readonly now: Instant;
  readonly namespace?: string | undefined;
}

/** Takes a snapshot: of each object only the allowed fields, in an order that does not depend on the API server. */
export function takeSnapshot(objects: ClusterObjects, { now, namespace }: SnapshotOptions): Snapshot {
  const kept = mapCollections(objects, (object, type) => keepAllowed(type, object));
  return {
    takenAt: Math.max(now, latestTimeIn(kept)),
    namespace,
    controllers: controllersOf(objects),
    isAnonymised: false,
    objects: withTemplateVariants(kept, objects),
  };
}

/** The controllers that decide about most workloads; managed fields, which show it, are not in a snapshot. */
function controllersOf({ deployments, replicaSets, namespaces }: ClusterObjects): Snapshot["controllers"] {
  const labels = new Map(namespaces.map(({ metadata }) => [metadata.name, metadata.labels ?? {}]));
  const counts = new Map<DecidedBy["controllers"], number>();
  for (const owner of [...deployments, ...replicaSets]) {
    const { controllers } = findDecidedBy(owner, labels.get(owner.metadata.namespace ?? "") ?? {});
    counts.set(controllers, (counts.get(controllers) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** Applies a function to every object, with the name of its type in the schema table. */
export function mapCollections(
  objects: ClusterObjects,
  map: (object: JsonObject, type: string) => JsonObject,
): ClusterObjects {
  const mapped = collectionNames.map((name) => {
    const type = schemaTypeOf(name);
    return [name, (objects[name] as readonly unknown[]).map((object) => map(object as JsonObject, type))];
  });
  return Object.fromEntries(mapped) as ClusterObjects;
}

/** The type of a collection's objects in the schema table. */
export function schemaTypeOf(name: CollectionName): string {
  const resource: Resource = clusterResources[name];
  return kindByName(apiVersionOf(resource), resource.kind)?.type ?? "";
}

/**
 * The latest time at which something is said to have happened. The clock of a cluster may be ahead of the one that reads
 * it, and nothing happens after a snapshot of it.
 */
function latestTimeIn({ pods, nodes, deployments, replicaSets }: ClusterObjects): Instant {
  const times = [...pods, ...nodes, ...deployments, ...replicaSets].flatMap(({ metadata, status }) => [
    metadata.creationTimestamp,
    ...(status?.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime),
  ]);
  let latest = Number.NEGATIVE_INFINITY;
  for (const time of times) latest = Math.max(latest, parseTime(time) ?? latest);
  return latest;
}

/** The snapshot as a document, the same for the same snapshot; `readSnapshot` reads it back. */
export function writeSnapshot(snapshot: Snapshot, format: "yaml" | "json"): string {
  const { takenAt, namespace, controllers, isAnonymised, objects } = snapshot;
  const document = {
    apiVersion: trimtabApiVersion,
    kind: snapshotKind,
    takenAt: formatMicroTime(takenAt),
    ...(namespace === undefined ? {} : { namespace }),
    ...(controllers === undefined ? {} : { controllers }),
    ...(isAnonymised ? { anonymised: true } : {}),
    objects,
  };
  if (format === "json") return `${JSON.stringify(document, undefined, 2)}\n`;
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
}

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
