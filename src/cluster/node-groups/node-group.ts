import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { duplicate, type FieldError, invalid, required } from "../../api/field-error.ts";
import type { Node, Taint } from "../../api/generated/core-v1.ts";
import { nodeStrategy } from "../../api/kinds/node/strategy.ts";
import type { Sent } from "../../api/kinds/sent.ts";
import { labelValueProblems, validateLabels } from "../../api/labels/label-syntax.ts";
import { dns1123SubdomainProblems } from "../../api/names.ts";
import type { Draft } from "../../api/object.ts";
import { canonicalQuantity, quantityProblem } from "../../api/quantity/format-quantity.ts";
import type { Instant } from "../../api/time.ts";
import { simulatedNode } from "../kubelet/simulated-node.ts";

/** Simulated nodes that are alike. */
export interface NodeGroup {
  /** Its nodes are called after it: `gpu-1`, `gpu-2`, … */
  readonly name: string;
  readonly count: number;
  /** The zone of all its nodes; absent: the zones of the cluster in turn. */
  readonly zone?: string;
  /** On top of those that every node has. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly taints?: readonly Pick<Taint, "key" | "value" | "effect">[];
  /** Resources that differ from those of other simulated nodes, or that only these have, such as `nvidia.com/gpu`. */
  readonly capacity?: Readonly<Record<string, string | number>>;
}

/** More than the largest cluster that Kubernetes supports. */
export const mostNodes = 16_384;
/** As many as there are letters for. */
export const mostZones = 26;

const zoneLabel = "topology.kubernetes.io/zone";
const hostnameLabel = "kubernetes.io/hostname";

/** The nodes of some groups; addresses and Pod networks are assigned over all of them. */
export function nodesOf(
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

/** Every error in some groups, with paths below `path`; they may lack what their type says they have. */
export function nodeGroupErrors(groups: readonly Partial<NodeGroup>[], path: string): readonly FieldError[] {
  const total = groups.reduce((sum, { count = 0 }) => sum + count, 0);
  return [
    ...groups.flatMap((group, index) => groupErrors(group, `${path}[${index}]`)),
    ...groups.flatMap(({ name }, index) =>
      name !== undefined && groups.slice(0, index).some((other) => other.name === name)
        ? [duplicate(`${path}[${index}].name`, name)]
        : [],
    ),
    ...(total > mostNodes ? [invalid(path, total, `must be at most ${mostNodes} nodes together`)] : []),
  ];
}

function groupErrors(group: Partial<NodeGroup>, path: string): readonly FieldError[] {
  const { name, count, zone, labels = {}, taints, capacity = {} } = group;
  return [
    ...(name === undefined ? [required(`${path}.name`)] : nameErrors(name, `${path}.name`)),
    ...(count === undefined ? [required(`${path}.count`)] : countErrors(count, `${path}.count`)),
    ...(zone === undefined
      ? []
      : labelValueProblems(zone).map((problem) => invalid(`${path}.zone`, zone, problem))),
    ...validateLabels(labels, `${path}.labels`),
    ...taintErrors(taints, `${path}.taints`),
    ...capacityErrors(capacity, `${path}.capacity`),
  ];
}

function nameErrors(name: string, path: string): readonly FieldError[] {
  return dns1123SubdomainProblems(name).map((problem) => invalid(path, name, problem));
}

function countErrors(count: number, path: string): readonly FieldError[] {
  const isCount = Number.isInteger(count) && count >= 0 && count <= mostNodes;
  return isCount ? [] : [invalid(path, count, `must be a whole number from 0 to ${mostNodes}`)];
}

/** As the API server validates the taints of a Node, whose paths begin elsewhere. */
function taintErrors(taints: NodeGroup["taints"], path: string): readonly FieldError[] {
  const errors = validateNode({ spec: { taints: [...(taints ?? [])] } });
  return errors.map((error) => ({ ...error, field: error.field.replace(/^metadata\.taints/, path) }));
}

function capacityErrors(
  capacity: Readonly<Record<string, string | number>>,
  path: string,
): readonly FieldError[] {
  const wrong = Object.entries(capacity).filter(([, amount]) => canonicalQuantity(amount) === undefined);
  const known = Object.fromEntries(
    Object.entries(capacity).filter(([, amount]) => canonicalQuantity(amount) !== undefined),
  ) as Readonly<Record<string, string>>;
  return [
    ...wrong.map(([name, amount]) => invalid(`${path}.${name}`, amount, quantityProblem(String(amount)))),
    ...validateNode({ status: { capacity: known } }).map((error) => ({
      ...error,
      field: error.field.replace(/^status\.capacity/, path),
    })),
  ];
}

/** Nothing about Nodes depends on gates or time. */
const context = { gates: defaultFeatureGates, now: 0 };

function validateNode(node: Pick<Sent<Node>, "spec" | "status">): readonly FieldError[] {
  return nodeStrategy.validate?.({ metadata: { name: "node" }, ...node }, context) ?? [];
}
