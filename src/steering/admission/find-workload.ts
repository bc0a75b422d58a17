import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { LabelSelector } from "../../api/generated/meta-v1.ts";
import { compileLabelSelector } from "../../api/labels/compile-label-selector.ts";
import { formatLabelSelection } from "../../api/labels/label-selector.ts";
import { keyOf } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { deployments, pods, replicaSets } from "../../api/resources.ts";
import { type Wishes, wishesOf } from "../../decisions/stock/wish.ts";
import { isNotFound } from "../../machinery/client/api-error.ts";
import type { Client, ObjectName } from "../../machinery/client/client.ts";
import type { Resource } from "../../api/resource.ts";
import type { StoredObject } from "../../api/object.ts";
import type { SteeringDependencies } from "../dependencies.ts";
import type { SizeChange } from "./size-change.ts";

/** A ReplicaSet, the Deployment it belongs to, and what they ask for. */
export interface FoundWorkload {
  readonly replicaSet: ReplicaSet;
  readonly deployment: Deployment | undefined;
  readonly wishes: Wishes;
}

type Sources = Pick<SteeringDependencies, "client" | "replicaSets" | "deployments" | "namespaces">;

/** What the objects that this copy watches say; `undefined` where it does not know them all. */
export function knownWishes(change: SizeChange, sources: Sources): Wishes | undefined {
  const { namespace, name, uid } = change;
  const replicaSet = sources.replicaSets.get(keyOf({ metadata: { namespace, name } }));
  if (replicaSet?.metadata.uid !== uid) return undefined;
  const owner = deploymentNameOf(replicaSet);
  const deployment = owner && sources.deployments.get(keyOf({ metadata: owner }));
  const labels = sources.namespaces.get(namespace)?.metadata.labels;
  if (owner !== undefined && deployment?.metadata.uid !== owner.uid) return undefined;
  return wishesOf(deployment ?? replicaSet, labels);
}

/**
 * Looks up the ReplicaSet that a request is about, live. `undefined` when there is none of that UID and version: anyone
 * in the cluster can send requests, and only what is true about the cluster counts.
 */
export async function findWorkload(
  change: SizeChange,
  sources: Sources,
  signal: AbortSignal,
): Promise<FoundWorkload | undefined> {
  const replicaSet = await found(sources.client, replicaSets, { ...change, signal });
  const { uid, resourceVersion } = replicaSet?.metadata ?? {};
  if (replicaSet === undefined || uid !== change.uid || resourceVersion !== change.resourceVersion)
    return undefined;
  const deployment = await findDeployment(replicaSet, sources, signal);
  const labels = sources.namespaces.get(change.namespace)?.metadata.labels;
  return { replicaSet, deployment, wishes: wishesOf(deployment ?? replicaSet, labels) };
}

/** The Deployment that controls a ReplicaSet, live. */
export async function findDeployment(
  replicaSet: Pick<ReplicaSet, "metadata">,
  { client }: Pick<Sources, "client">,
  signal: AbortSignal,
): Promise<Deployment | undefined> {
  const owner = deploymentNameOf(replicaSet);
  if (owner === undefined) return undefined;
  const deployment = await found(client, deployments, { ...owner, signal });
  return deployment?.metadata.uid === owner.uid ? deployment : undefined;
}

/** The Pods that a selector selects, live: those of a watch may be late. */
export async function listPods(
  namespace: string,
  selector: LabelSelector | undefined,
  { client, signal }: { readonly client: Client; readonly signal: AbortSignal },
): Promise<readonly Pod[]> {
  const compiled = compileLabelSelector(selector);
  if (!compiled.ok || compiled.selection.selects === "nothing") return [];
  const labelSelector = formatLabelSelection(compiled.selection);
  return (await client.list(pods, { namespace, labelSelector }, signal)).items;
}

/** The name and UID of the Deployment that a ReplicaSet says it belongs to. */
export function deploymentNameOf({ metadata }: Pick<ReplicaSet, "metadata">) {
  const owner = controllerOf({ metadata });
  if (owner?.kind !== "Deployment" || owner.apiVersion !== "apps/v1") return undefined;
  return { namespace: metadata.namespace ?? "", name: owner.name, uid: owner.uid };
}

async function found<T extends StoredObject>(
  client: Client,
  resource: Resource<T>,
  { namespace, name, signal }: ObjectName & { readonly signal: AbortSignal },
): Promise<T | undefined> {
  try {
    return await client.get(resource, namespace === undefined ? { name } : { namespace, name }, signal);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
