import type { Lease } from "../../../api/generated/coordination-v1.ts";
import type { StoredObject } from "../../../api/object.ts";
import { mergedView, viewOf } from "../../store/record-view.ts";
import { EncodingRecord } from "../../store/record.ts";
import type { StoredJson, View } from "../../store/store.ts";
import type { ServedResource } from "../served-resource.ts";
import type { ServerContext } from "../server-context.ts";

/** The leases of simulated nodes: computed on every read, never stored, not watchable. */
export interface VirtualLeases {
  /** Returns all of them, ordered by name, each with a UID. */
  list(): readonly (Lease & StoredObject)[];
}

/** For clusters without simulated nodes. */
export const noVirtualLeases: VirtualLeases = { list: () => [] };

const leaseNamespace = "kube-node-lease";

/** Adds the virtual leases to a view of stored ones; a stored lease hides a virtual one of its name. */
export function withVirtualLeases(context: ServerContext, resource: ServedResource, view: View): View {
  if (resource.collection !== "leases.coordination.k8s.io") return view;
  const computed = context.virtualLeases.list();
  if (computed.length === 0) return view;
  const revision = context.store.revision();
  const records = computed.map((lease) => {
    const key = `${leaseNamespace}/${lease.metadata.name}`;
    return new EncodingRecord({ key, revision, object: lease as unknown as StoredJson });
  });
  return mergedView(view, viewOf(records));
}
