import type { StatefulSet, StatefulSetStatus } from "../../api/generated/apps-v1.ts";
import { statefulSets } from "../../api/resources.ts";
import { isStatefulStatusStored } from "../../decisions/stateful/stateful-status.ts";
import { isConflict } from "../../machinery/client/api-error.ts";
import type { StatefulSync } from "./sync-context.ts";

/** Writes a status unless it is stored already. */
export async function writeStatefulStatus(status: StatefulSetStatus, context: StatefulSync): Promise<void> {
  const { set, wrote } = context;
  if (!isStatefulStatusStored(set, status)) wrote(statefulSets, await update(status, context));
}

/** Tries a second time on the live set: its spec may have changed meanwhile. */
async function update(
  status: StatefulSetStatus,
  { set, client, signal }: StatefulSync,
): Promise<StatefulSet> {
  const options = { subresource: "status", reads: "metadata", signal } as const;
  try {
    return await client.update(statefulSets, { ...set, status }, options);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const live = await client.get(statefulSets, set.metadata, signal);
    // The set is gone; its status must not be written to another one of the same name.
    if (live.metadata.uid !== set.metadata.uid) throw error;
    return client.update(statefulSets, { ...live, status }, options);
  }
}
