import type { Lease } from "../../../api/generated/coordination-v1.ts";
import type { StoredObject } from "../../../api/object.ts";
import { mergedView, viewOf } from "../../store/record-view.ts";
import { EncodingRecord } from "../../store/record.ts";
import type { StoredJson, View } from "../../store/store.ts";
import type { ServedResource } from "../served-resource.ts";
import type { ServerContext } from "../server-context.ts";

/** The leases of simulated nodes: computed when someone reads them, never written, never watched. */
export interface VirtualLeases {
  /** All of them, in the order of their names, each complete with a UID. */
  list(): readonly (Lease & StoredObject)[];
}

/** For clusters without simulated nodes. */
export const noVirtualLeases: VirtualLeases = { list: () => [] };

const leaseNamespace = "kube-node-lease";

/** A view of stored leases that shows the virtual ones too; a stored lease hides a virtual one of its name. */
export function withVirtualLeases(context: ServerContext, resource: ServedResource, view: View): View {
  if (resource.collection !== "leases.coordination.k8s.io") return view;
  const computed = context.virtualLeases.list();
  if (computed.length === 0) return view;
  const revision = context.store.revision();
  const records = computed.map(
    (lease) =>
      new EncodingRecord(
        `${leaseNamespace}/${lease.metadata.name}`,
        revision,
        lease as unknown as StoredJson,
      ),
  );
  return mergedView(view, viewOf(records));
}
