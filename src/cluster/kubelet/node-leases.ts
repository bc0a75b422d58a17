import type { Lease } from "../../api/generated/coordination-v1.ts";
import type { Node } from "../../api/generated/core-v1.ts";
import { formatMicroTime, type Instant } from "../../api/time.ts";
import { isSimulated } from "./simulated-node.ts";

const leaseDurationSeconds = 40;
const renewEveryMs = 10_000;

/**
 * The Leases of simulated nodes, computed when they are read: writing those of a thousand nodes would cost a hundred
 * writes a second.
 */
export function nodeLeases(nodes: readonly Node[], now: Instant): readonly Lease[] {
  const renewedAt = Math.floor(now / renewEveryMs) * renewEveryMs;
  return nodes
    .filter(isSimulated)
    .map((node) => leaseOf(node, renewedAt))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

function leaseOf({ metadata }: Node, renewedAt: Instant): Lease {
  const { name, uid, resourceVersion, creationTimestamp } = metadata;
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {
      name,
      namespace: "kube-node-lease",
      // Any stable UID will do: the node's own with another prefix.
      uid: uid.replace(/^.{8}/, "1ea5e000"),
      resourceVersion,
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name, uid }],
    },
    spec: { holderIdentity: name, leaseDurationSeconds, renewTime: formatMicroTime(renewedAt) },
  };
}
