import type { ContainerStatus, Pod, PodCondition, PodSpec } from "../api/generated/core-v1.ts";
import { deletionCostAnnotation } from "../api/deletion-cost.ts";
import type { OwnerReference } from "../api/generated/meta-v1.ts";

/** What a test may want to be different about a Pod; times are RFC 3339. */
export interface PodTraits {
  readonly namespace?: string;
  readonly uid?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly createdAt?: string;
  readonly deletedAt?: string;
  /** The node it is assigned to; `null` for none. */
  readonly node?: string | null;
  readonly phase?: string;
  readonly ready?: boolean;
  /** When it became Ready or unready; `null` when its condition does not say. */
  readonly readyAt?: string | null;
  readonly deletionCost?: number | string;
  readonly restarts?: number;
  /** Adds a sidecar that restarted this often. */
  readonly sidecarRestarts?: number;
  /** The controller it belongs to. */
  readonly owner?: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  /** Whatever else its spec should have. */
  readonly spec?: Partial<PodSpec>;
}

/** A Pod as the API server stores it: Running and Ready on a node since 2026-01-01, but for the traits given. */
export function pod(name: string, traits: PodTraits = {}): Pod {
  const { namespace = "default", node = "node-1", createdAt = "2026-01-01T00:00:00Z" } = traits;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace,
      uid: traits.uid ?? `uid-of-${name}`,
      resourceVersion: "1",
      creationTimestamp: createdAt,
      ...(traits.deletedAt === undefined ? {} : { deletionTimestamp: traits.deletedAt }),
      labels: { app: "web", ...traits.labels },
      annotations: annotationsOf(traits),
      ...(traits.owner === undefined ? {} : { ownerReferences: [controlledBy(traits.owner)] }),
    },
    spec: {
      containers: [{ name: "app", image: "registry.example/app:1" }],
      ...(traits.sidecarRestarts === undefined
        ? {}
        : { initContainers: [{ name: "sidecar", restartPolicy: "Always" }] }),
      ...(node === null ? {} : { nodeName: node }),
      ...traits.spec,
    },
    status: statusOf(traits),
  };
}

function controlledBy(owner: NonNullable<PodTraits["owner"]>): OwnerReference {
  return { ...owner, uid: `uid-of-${owner.name}`, controller: true };
}

function annotationsOf({ annotations, deletionCost }: PodTraits): Readonly<Record<string, string>> {
  if (deletionCost === undefined) return { ...annotations };
  return { ...annotations, [deletionCostAnnotation]: String(deletionCost) };
}

function statusOf(traits: PodTraits): NonNullable<Pod["status"]> {
  return {
    phase: traits.phase ?? "Running",
    conditions: [{ type: "PodScheduled", status: "True" }, readyCondition(traits)],
    containerStatuses: [containerStatus("app", traits.restarts ?? 0)],
    ...(traits.sidecarRestarts === undefined
      ? {}
      : { initContainerStatuses: [containerStatus("sidecar", traits.sidecarRestarts)] }),
  };
}

function readyCondition({ ready = true, readyAt = "2026-01-01T00:00:10Z" }: PodTraits): PodCondition {
  const condition = { type: "Ready", status: ready ? "True" : "False" };
  return readyAt === null ? condition : { ...condition, lastTransitionTime: readyAt };
}

function containerStatus(name: string, restartCount: number): ContainerStatus {
  return { name, ready: true, restartCount, image: "registry.example/app:1", imageID: "" };
}
