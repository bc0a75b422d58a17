import type { Lease } from "../../../api/generated/coordination-v1.ts";
import type { Node } from "../../../api/generated/core-v1.ts";
import type { StoredObject } from "../../../api/object.ts";
import { formatMicroTime, type Instant } from "../../../api/time.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import type { Collection } from "../../store/store.ts";
import { isUnreachable } from "../behaviour/node-behaviour.ts";
import { isSimulated } from "./simulated-node.ts";

const leaseDurationSeconds = 40;
const renewEveryMs = 10_000;
/** The prefix of these Leases' UIDs; one in four billion other UIDs begins with it. */
const virtualPrefix = "1ea5e000";

/**
 * The Leases of simulated nodes, computed when they are read: writing those of a thousand nodes would cost a hundred
 * writes a second. The Lease of a node that became unreachable keeps the time at which it did.
 */
export function virtualNodeLeases(
  nodes: Collection,
  clock: Clock,
): { readonly list: () => readonly Lease[] } {
  const silentSince = new Map<string, Instant>();
  const observe = (node: Node) => {
    const { uid } = node.metadata;
    if (!isUnreachable(node)) silentSince.delete(uid);
    else if (!silentSince.has(uid)) silentSince.set(uid, clock.now());
  };
  for (const { object } of nodes.records()) observe(object as unknown as Node);
  nodes.subscribe({ of: "all" }, (events) => {
    for (const { type, record } of events) {
      const node = record.object as unknown as Node;
      if (type === "DELETED") silentSince.delete(node.metadata.uid);
      else observe(node);
    }
  });
  return {
    list: () =>
      [...nodes.records()]
        // A collection holds only objects of its resource.
        .map(({ object }) => object as unknown as Node)
        .filter(isSimulated)
        .map((node) => leaseOf(node, renewedAt(silentSince.get(node.metadata.uid) ?? clock.now())))
        .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)),
  };
}

/** Reports whether an object is a virtual Lease; lists include them, watches do not. */
export function isVirtualLease({ kind, metadata }: StoredObject): boolean {
  return kind === "Lease" && metadata.uid.startsWith(virtualPrefix);
}

function renewedAt(lastSign: Instant): Instant {
  return Math.floor(lastSign / renewEveryMs) * renewEveryMs;
}

function leaseOf({ metadata }: Node, renewed: Instant): Lease {
  const { name, uid, resourceVersion, creationTimestamp } = metadata;
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {
      name,
      namespace: "kube-node-lease",
      // Any stable UID will do; this is the node's own with another prefix.
      uid: virtualPrefix + uid.slice(virtualPrefix.length),
      resourceVersion,
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name, uid }],
    },
    spec: { holderIdentity: name, leaseDurationSeconds, renewTime: formatMicroTime(renewed) },
  };
}
