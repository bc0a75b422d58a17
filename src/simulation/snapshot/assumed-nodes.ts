import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { hostnameLabel, regionLabel, zoneLabel } from "../../api/well-known.ts";
import type { Snapshot } from "./snapshot.ts";

/** The zone and region of all assumed nodes: a constraint that compares domains finds one domain, which decides nothing. */
const unseenLabels = {
  [zoneLabel]: "not-seen",
  [regionLabel]: "not-seen",
};

/** More than any Pod asks for. */
const plenty = "1000000";

/**
 * A snapshot of a user who may not list nodes, with a node for every name that its Pods have: what they can have that is not
 * seen is assumed to be there. One that has nodes stays as it is.
 */
export function withAssumedNodes(snapshot: Snapshot): Snapshot {
  const { objects } = snapshot;
  if (objects.nodes.length > 0) return snapshot;
  const byNode = new Map<string, Pod[]>();
  for (const pod of objects.pods) {
    const name = pod.spec.nodeName ?? "";
    if (name !== "") byNode.set(name, [...(byNode.get(name) ?? []), pod]);
  }
  if (byNode.size === 0) byNode.set("node-not-seen", []);
  const nodes = [...byNode]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, pods]) => nodeOf(name, pods));
  return { ...snapshot, objects: { ...objects, nodes } };
}

/** A node on which its Pods can be: with the labels and the resources that they ask for. */
function nodeOf(name: string, pods: readonly Pod[]): Node {
  const selected = Object.assign({}, ...pods.map(({ spec }) => spec.nodeSelector ?? {})) as object;
  const asked = pods.flatMap(({ spec }) => spec.containers.map(({ resources }) => resources?.requests ?? {}));
  const names = new Set(["cpu", "memory", "pods", "ephemeral-storage", ...asked.flatMap(Object.keys)]);
  const capacity = Object.fromEntries([...names].map((resource) => [resource, amountOf(resource)]));
  return {
    metadata: {
      name,
      uid: `assumed ${name}`,
      resourceVersion: "1",
      labels: { ...unseenLabels, ...selected, [hostnameLabel]: name },
    },
    spec: {},
    status: { capacity, allocatable: capacity, conditions: [{ type: "Ready", status: "True" }] },
  };
}

const amountOf = (resource: string) =>
  resource === "memory" || resource === "ephemeral-storage" ? `${plenty}Gi` : plenty;
