import type { Deployment, ReplicaSet, StatefulSet } from "../../../api/generated/apps-v1.ts";
import type { Pod, ReplicationController } from "../../../api/generated/core-v1.ts";
import type { OwnerReference } from "../../../api/generated/meta-v1.ts";
import type { StoredObject } from "../../../api/object.ts";
import { controllerOf } from "../../../api/owner-references.ts";
import { apiVersionOf, qualifiedName } from "../../../api/resource.ts";
import { schemaTable } from "../../../api/schema/table.ts";
import type { Informer } from "../../../machinery/informer/informer.ts";
import type { PodController } from "./expected-pods.ts";

/** The controllers whose scale says how many Pods there should be. */
export interface ScaledControllers {
  readonly deployments: Informer<Deployment>;
  readonly replicaSets: Informer<ReplicaSet>;
  readonly replicationControllers: Informer<ReplicationController>;
  readonly statefulSets: Informer<StatefulSet>;
  /** Finds a controller of a custom kind; `undefined` if the kind is not a custom kind. */
  readonly customController: FindCustomController;
}

/** Finds the controller of a custom kind that a reference names: its replicas, or that its kind has no scale. */
export type FindCustomController = (
  reference: OwnerReference,
  namespace: string,
) =>
  | {
      readonly resource: string;
      readonly scale: { readonly uid: string; readonly replicas: number } | undefined;
    }
  | undefined;

interface Scaled extends StoredObject {
  readonly spec?: { readonly replicas?: number };
}

/** Finds the controller of a Pod; for a Pod of a Deployment's ReplicaSet it is the Deployment. */
export function podControllerOf(informers: ScaledControllers, pod: Pod): PodController {
  const reference = controllerOf(pod);
  if (reference === undefined) return { found: "unmanaged" };
  const { namespace = "" } = pod.metadata;
  const informer = informerOf(informers, reference);
  if (informer === undefined) return customControllerOf(informers, reference, pod);
  const controller = find(informer, namespace, reference);
  if (controller === undefined) return { found: "problem", problem: noControllers(pod) };
  const above = reference.kind === "ReplicaSet" ? controllerOf(controller) : undefined;
  const deployment = above?.kind === "Deployment" ? find(informers.deployments, namespace, above) : undefined;
  return scaleOf(deployment ?? controller);
}

function customControllerOf(
  { customController }: ScaledControllers,
  reference: OwnerReference,
  pod: Pod,
): PodController {
  const custom = customController(reference, pod.metadata.namespace ?? "");
  if (custom === undefined) return { found: "problem", problem: withoutScale(reference, pod) };
  if (custom.scale !== undefined) return { found: "scale", ...custom.scale };
  return { found: "problem", problem: `${custom.resource} does not implement the scale subresource` };
}

function scaleOf({ metadata, spec }: Scaled): PodController {
  return { found: "scale", uid: metadata.uid, replicas: spec?.replicas ?? 1 };
}

function informerOf(
  { replicaSets, replicationControllers, statefulSets }: ScaledControllers,
  { apiVersion, kind }: OwnerReference,
): Informer<ReplicaSet> | Informer<ReplicationController> | Informer<StatefulSet> | undefined {
  return [replicaSets, replicationControllers, statefulSets].find(
    ({ resource }) => resource.kind === kind && apiVersionOf(resource) === apiVersion,
  );
}

function find(
  informer: { readonly get: (key: string) => Scaled | undefined },
  namespace: string,
  { name, uid }: OwnerReference,
): Scaled | undefined {
  const found = informer.get(`${namespace}/${name}`);
  return found?.metadata.uid === uid ? found : undefined;
}

function withoutScale({ apiVersion, kind }: OwnerReference, pod: Pod): string {
  const known = schemaTable().kinds.find(
    (facts) => facts.kind === kind && apiVersionOf(facts) === apiVersion,
  );
  return known === undefined
    ? noControllers(pod)
    : `${qualifiedName(known)} does not implement the scale subresource`;
}

function noControllers({ metadata }: Pod): string {
  return `found no controllers for pod ${JSON.stringify(metadata.name)}`;
}
