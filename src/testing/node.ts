import type { ContainerImage, Node, Taint } from "../api/generated/core-v1.ts";
import { hostnameLabel, zoneLabel } from "../api/well-known.ts";

/** What a test may want to be different about a node. */
export interface NodeTraits {
  /** Besides its hostname. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly zone?: string;
  readonly taints?: readonly Taint[];
  readonly unschedulable?: boolean;
  readonly allocatable?: Readonly<Record<string, string | number>>;
  readonly images?: readonly ContainerImage[];
}

/** A node as the API server stores it: room for 110 Pods, 4 CPUs and 16 GiB, but for the traits given. */
export function node(name: string, traits: NodeTraits = {}): Node {
  const { zone, labels, taints, unschedulable } = traits;
  const allocatable = { cpu: "4", memory: "16Gi", pods: "110", ...traits.allocatable };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      uid: `uid-of-${name}`,
      resourceVersion: "1",
      creationTimestamp: "2026-01-01T00:00:00Z",
      labels: {
        [hostnameLabel]: name,
        ...(zone === undefined ? {} : { [zoneLabel]: zone }),
        ...labels,
      },
    },
    spec: {
      ...(taints === undefined ? {} : { taints }),
      ...(unschedulable === undefined ? {} : { unschedulable }),
    },
    status: {
      capacity: allocatable,
      allocatable,
      conditions: [{ type: "Ready", status: "True" }],
      images: traits.images ?? [],
    },
  };
}
