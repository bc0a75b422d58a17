import { zoneLabel, hostnameLabel } from "../../api/well-known.ts";
import type { Node, Taint } from "../../api/generated/core-v1.ts";
import type { Draft } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import { simulatedNode } from "../kubelet/nodes/simulated-node.ts";

/** A group of equal simulated nodes. */
export interface NodeGroup {
  /** The prefix of the names of its nodes: `gpu-1`, `gpu-2`, … */
  readonly name: string;
  readonly count: number;
  /** The zone of all its nodes; absent: the zones of the cluster in turn. */
  readonly zone?: string;
  /** Added to the labels that every node has. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: readonly Pick<Taint, "key" | "value" | "effect">[];
  /** Resources that differ from those of other simulated nodes, or that only these have, such as `nvidia.com/gpu`. */
  readonly capacity?: Readonly<Record<string, string | number>>;
}

/** Returns the nodes of the groups; addresses and Pod networks are assigned across all of them. */
export function nodesOfGroups(
  groups: readonly NodeGroup[],
  { zones, now }: { readonly zones: number; readonly now: Instant },
): readonly Draft<Node>[] {
  let address = 0;
  return groups.flatMap((group) =>
    Array.from({ length: group.count }, (_, index) => {
      const plain = simulatedNode({ index, zones }, now);
      const addressed = simulatedNode({ index: address++, zones }, now);
      return nodeOf(group, `${group.name}-${index + 1}`, { ...addressed, metadata: plain.metadata });
    }),
  );
}

function nodeOf(group: NodeGroup, name: string, node: Draft<Node>): Draft<Node> {
  const { zone, labels, annotations, taints, capacity = {} } = group;
  const resources = { ...node.status?.capacity, ...capacity } as Readonly<Record<string, string>>;
  const info = node.status?.nodeInfo;
  return {
    ...node,
    metadata: {
      ...node.metadata,
      name,
      labels: {
        ...node.metadata.labels,
        [hostnameLabel]: name,
        ...(zone !== undefined && { [zoneLabel]: zone }),
        ...labels,
      },
      annotations: { ...node.metadata.annotations, ...annotations },
    },
    spec: { ...node.spec, ...(taints !== undefined && { taints: [...taints] }) },
    status: {
      ...node.status,
      capacity: resources,
      allocatable: resources,
      addresses: (node.status?.addresses ?? []).map((address) =>
        address.type === "Hostname" ? { ...address, address: name } : address,
      ),
      ...(info !== undefined && { nodeInfo: { ...info, machineID: name, systemUUID: name, bootID: name } }),
    },
  };
}
