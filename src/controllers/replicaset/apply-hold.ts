import { heldRemovalLabel } from "../../api/pod-protection.ts";
import { writeHold } from "../../decisions/downscale/hold.ts";
import type { ReplicaSetAction } from "../../decisions/replicas/replica-set-action.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import type { ReplicaSync } from "./sync-context.ts";

type HoldAction = Extract<ReplicaSetAction, { readonly kind: "hold-removal" | "end-hold" }>;

/** Keeps on the owner that a removal is held back, or that none is any more; returns the owner as it was written. */
export async function applyHold<T extends ReplicaOwner>(
  action: HoldAction,
  context: ReplicaSync<T>,
): Promise<T> {
  const { owner, kind, records, replicaEvents } = context;
  if (action.kind === "end-hold") {
    const written = await writeLabel(null, context);
    replicaEvents.holdEnded(action.because);
    return written;
  }
  const written = await writeLabel(writeHold(action.held.hold), context);
  const { namespace = "", name, uid } = owner.metadata;
  records.add({ ...action.removal, workload: { kind: kind.resource.kind, namespace, name, uid } });
  if (action.isNew) replicaEvents.removalHeld(action.held);
  return written;
}

/** A merge patch removes a label that is null. The UID keeps it from another owner of the same name. */
async function writeLabel<T extends ReplicaOwner>(
  value: string | null,
  { owner, kind, client, wrote, signal }: ReplicaSync<T>,
): Promise<T> {
  const body = { metadata: { uid: owner.metadata.uid, labels: { [heldRemovalLabel]: value } } };
  const written = await client.patch(kind.resource, owner.metadata, { type: "merge", body, signal });
  wrote(kind.resource, written);
  return written;
}
