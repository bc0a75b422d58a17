import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { replicaSets } from "../../api/resources.ts";
import { type HeldShrink, shrinkLabels } from "../../decisions/stock/held-shrink.ts";
import type { Client } from "../../machinery/client/client.ts";

/** Writes the labels that say what a ReplicaSet holds back, unless it has them. */
export async function labelHold(
  { metadata }: ReplicaSet,
  held: HeldShrink | undefined,
  { client, signal }: { readonly client: Client; readonly signal: AbortSignal },
): Promise<void> {
  const labels = shrinkLabels(held);
  if (Object.entries(labels).every(([name, value]) => (metadata.labels?.[name] ?? null) === value)) return;
  const body = { metadata: { uid: metadata.uid, labels } };
  await client.patch(replicaSets, metadata, { type: "merge", body, signal });
}

/** What whoever has asked for a size sees in a terminal. */
export function heldWarning({ size, message }: HeldShrink & { readonly message: string }): string {
  return `trimtab steer: the size is ${size} for now, and follows by itself: ${message}`;
}
