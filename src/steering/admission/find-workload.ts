import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { LabelSelector } from "../../api/generated/meta-v1.ts";
import { compileLabelSelector } from "../../api/labels/compile-label-selector.ts";
import { formatLabelSelection, matchesLabels } from "../../api/labels/label-selector.ts";
import { keyOf } from "../../api/object.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { deployments, pods, replicaSets } from "../../api/resources.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import { objectsInNamespace } from "../../machinery/ownership/owner-index.ts";
import { type Wishes, wishesOf } from "../../decisions/stock/wish.ts";
import type { Client, ObjectName } from "../../machinery/client/client.ts";
import { apiVersionOf, type Resource } from "../../api/resource.ts";
import { type ArgoRollout, argoRollouts, asDeployment } from "../../decisions/stock/argo-rollout.ts";
import type { StoredObject } from "../../api/object.ts";
import type { SteeringDependencies } from "../dependencies.ts";
import type { SizeChange } from "./size-change.ts";
import { ifFound, isForbidden } from "../../machinery/client/api-error.ts";

/** A ReplicaSet, the Deployment it belongs to, and what they ask for. */
export interface FoundWorkload {
  readonly replicaSet: ReplicaSet;
  readonly deployment: Deployment | undefined;
  readonly wishes: Wishes;
}

type Sources = Pick<SteeringDependencies, "client" | "replicaSets" | "deployments" | "namespaces">;

/** What the objects that this copy watches say; `undefined` where it does not know them all. */
export function knownWishes(change: SizeChange, sources: Sources): Wishes | undefined {
  const replicaSet = watchedReplicaSet(change, sources);
  if (replicaSet === undefined) return undefined;
  const owner = deploymentNameOf(replicaSet);
  const deployment = owner && sources.deployments.get(keyOf({ metadata: owner }));
  const labels = sources.namespaces.get(change.namespace)?.metadata.labels;
  if (owner !== undefined && deployment?.metadata.uid !== owner.uid) return undefined;
  return wishesOf(deployment ?? replicaSet, labels);
}

/** The ReplicaSet of a request, as this copy watches it. */
export function watchedReplicaSet(
  { namespace, name, uid }: Pick<SizeChange, "namespace" | "name" | "uid">,
  { replicaSets: watched }: Pick<Sources, "replicaSets">,
): ReplicaSet | undefined {
  const replicaSet = watched.get(keyOf({ metadata: { namespace, name } }));
  return replicaSet?.metadata.uid === uid ? replicaSet : undefined;
}

/** The Deployment of a ReplicaSet, as this copy watches it. */
export function watchedDeployment(
  replicaSet: ReplicaSet,
  { deployments: watched }: Pick<Sources, "deployments">,
): Deployment | undefined {
  const owner = deploymentNameOf(replicaSet);
  return owner && watched.get(keyOf({ metadata: owner }));
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
  const watched = watchedReplicaSet(change, sources);
  // Both at once: the API server waits. A ReplicaSet that is watched says which Deployment it most likely has.
  const [replicaSet, likely] = await Promise.all([
    found(sources.client, replicaSets, { ...change, signal }),
    watched && findDeployment(watched, sources, signal),
  ]);
  if (replicaSet === undefined || !isMeant(replicaSet, change)) return undefined;
  const isLikely = likely?.metadata.uid === deploymentNameOf(replicaSet)?.uid;
  const deployment = isLikely ? likely : await findDeployment(replicaSet, sources, signal);
  const labels = sources.namespaces.get(change.namespace)?.metadata.labels;
  return { replicaSet, deployment, wishes: wishesOf(deployment ?? replicaSet, labels) };
}

const isMeant = ({ metadata }: ReplicaSet, { uid, resourceVersion }: SizeChange): boolean =>
  metadata.uid === uid && metadata.resourceVersion === resourceVersion;

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

/** The selector that the Pods of a workload match, those of its other ReplicaSets included. */
export const selectorOf = ({ replicaSet, deployment }: FoundWorkload) =>
  (deployment ?? replicaSet).spec.selector;

/** All Pods of a workload, live. */
export function listWorkloadPods(
  workload: FoundWorkload,
  client: Client,
  signal: AbortSignal,
): Promise<readonly Pod[]> {
  const { namespace = "" } = workload.replicaSet.metadata;
  return listPods(namespace, selectorOf(workload), { client, signal });
}

/** The same as this copy watches them. */
export function watchedPods(
  namespace: string,
  selector: LabelSelector | undefined,
  watched: Informer<Pod>,
): readonly Pod[] {
  const compiled = compileLabelSelector(selector);
  if (!compiled.ok) return [];
  const { selection } = compiled;
  return objectsInNamespace(watched, namespace).filter(({ metadata }) =>
    matchesLabels(selection, metadata.labels),
  );
}

/** The name and UID of the Deployment that a ReplicaSet says it belongs to. */
export function deploymentNameOf({ metadata }: Pick<ReplicaSet, "metadata">) {
  const owner = controllerOf({ metadata });
  if (owner?.kind !== "Deployment" || owner.apiVersion !== "apps/v1") return undefined;
  return { namespace: metadata.namespace ?? "", name: owner.name, uid: owner.uid };
}

/** The name and UID of the Rollout of Argo that a ReplicaSet says it belongs to. */
export function argoRolloutNameOf({ metadata }: Pick<ReplicaSet, "metadata">) {
  const owner = controllerOf({ metadata });
  if (owner?.kind !== argoRollouts.kind || owner.apiVersion !== apiVersionOf(argoRollouts)) return undefined;
  return { namespace: metadata.namespace ?? "", name: owner.name, uid: owner.uid };
}

/** The Rollout of Argo that controls a ReplicaSet, live; an older role may not allow to read it. */
export async function findArgoRollout(
  replicaSet: Pick<ReplicaSet, "metadata">,
  { client }: Pick<Sources, "client">,
  signal: AbortSignal,
): Promise<ArgoRollout | undefined> {
  const owner = argoRolloutNameOf(replicaSet);
  if (owner === undefined) return undefined;
  try {
    const rollout = await found(client, argoRollouts, { ...owner, signal });
    return rollout?.metadata.uid === owner.uid ? rollout : undefined;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

/** What may grow by a budget: a Deployment, or a Rollout of Argo in the form of one. */
export interface GrowingOwner {
  readonly deployment: Deployment;
  readonly resource: Resource;
}

/** The owner by whose budget a ReplicaSet grows, live. */
export async function findGrowingOwner(
  replicaSet: Pick<ReplicaSet, "metadata">,
  sources: Sources,
  signal: AbortSignal,
): Promise<GrowingOwner | undefined> {
  const deployment = await findDeployment(replicaSet, sources, signal);
  if (deployment !== undefined) return { deployment, resource: deployments };
  const rollout = await findArgoRollout(replicaSet, sources, signal);
  const counted = rollout && asDeployment(rollout);
  return counted && { deployment: counted, resource: argoRollouts };
}

function found<T extends StoredObject>(
  client: Client,
  resource: Resource<T>,
  { namespace, name, signal }: ObjectName & { readonly signal: AbortSignal },
): Promise<T | undefined> {
  return ifFound(client.get(resource, namespace === undefined ? { name } : { namespace, name }, signal));
}
