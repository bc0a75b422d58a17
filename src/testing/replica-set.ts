import type { DownscalePodPicker, ReplicaSet, ReplicaSetCondition } from "../api/generated/apps-v1.ts";
import { podTemplate } from "./deployment.ts";
import { type MetadataTraits, storedMetadata } from "./stored-metadata.ts";

/** What a test may want to be different about a ReplicaSet; times are RFC 3339. */
export interface ReplicaSetTraits extends MetadataTraits {
  readonly annotations?: Readonly<Record<string, string>>;
  /** How many Pods it is to have. */
  readonly size?: number;
  /** How many it reports: as many as it is to have, all of them ready and available. */
  readonly pods?: number;
  readonly ready?: number;
  readonly available?: number;
  /** How many it reports to be ending; `null` when it does not say. */
  readonly terminating?: number | null;
  readonly observedGeneration?: number;
  readonly conditions?: readonly ReplicaSetCondition[];
  readonly image?: string;
  readonly minReadySeconds?: number;
  readonly picker?: DownscalePodPicker;
  /** The name of the Deployment that controls it. */
  readonly owner?: string;
  readonly revision?: number | string;
  /** The annotations a Deployment leaves when it sizes a ReplicaSet. */
  readonly desired?: number | string;
  readonly max?: number | string;
  readonly before?: number | string;
}

/** A ReplicaSet as the API server stores it: one Pod, reported ready and available, but for the traits given. */
export function replicaSet(name: string, traits: ReplicaSetTraits = {}): ReplicaSet {
  const labels = { app: "web", "pod-template-hash": name };
  const { size = 1 } = traits;
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { ...metadataOf(name, traits), labels },
    spec: {
      replicas: size,
      ...(traits.minReadySeconds === undefined ? {} : { minReadySeconds: traits.minReadySeconds }),
      selector: { matchLabels: labels },
      template: podTemplate(traits.image, name),
      ...(traits.picker === undefined ? {} : { downscalePodPicker: traits.picker }),
    },
    status: statusOf(traits, size),
  };
}

function metadataOf(name: string, traits: ReplicaSetTraits): ReplicaSet["metadata"] {
  const { owner } = traits;
  return {
    ...storedMetadata(name, traits),
    annotations: annotationsOf(traits),
    ...(owner === undefined ? {} : { ownerReferences: [ownerReference(owner)] }),
  };
}

function statusOf(traits: ReplicaSetTraits, size: number): NonNullable<ReplicaSet["status"]> {
  const { pods = size, terminating = 0 } = traits;
  const { ready = pods } = traits;
  return {
    replicas: pods,
    fullyLabeledReplicas: pods,
    readyReplicas: ready,
    availableReplicas: traits.available ?? ready,
    ...(terminating === null ? {} : { terminatingReplicas: terminating }),
    observedGeneration: traits.observedGeneration ?? traits.generation ?? 1,
    ...(traits.conditions === undefined ? {} : { conditions: traits.conditions }),
  };
}

function annotationsOf(traits: ReplicaSetTraits): Readonly<Record<string, string>> {
  const numbers = {
    revision: traits.revision,
    "desired-replicas": traits.desired,
    "max-replicas": traits.max,
    "replicaset-replicas-before-scale": traits.before,
  };
  const given = Object.entries(numbers).flatMap(([name, value]) =>
    value === undefined ? [] : [[`deployment.kubernetes.io/${name}`, String(value)]],
  );
  return { ...traits.annotations, ...Object.fromEntries(given) };
}

function ownerReference(name: string) {
  const uid = `uid-of-${name}`;
  return { apiVersion: "apps/v1", kind: "Deployment", name, uid, controller: true, blockOwnerDeletion: true };
}
