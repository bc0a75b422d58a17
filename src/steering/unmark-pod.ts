import { deepEqual } from "../api/deep-equal.ts";
import type { Pod } from "../api/generated/core-v1.ts";
import { pods } from "../api/resources.ts";
import { unmarkPatch } from "../decisions/stock/mark-patch.ts";
import { ifFound, isInvalid } from "../machinery/client/api-error.ts";
import type { Client } from "../machinery/client/client.ts";

/** What became of a mark: the Pod as it was written, or there was nothing to remove, or the Pod is gone. */
export type Unmarked = { readonly kind: "removed"; readonly pod: Pod } | { readonly kind: "none" | "gone" };

/**
 * Removes our mark from a Pod. The API server refuses the patch with the same answer when the Pod has changed meanwhile and
 * when a policy denies it, so the Pod is read again: if it has changed, what is there now says what is left to do;
 * otherwise the refusal is thrown.
 */
export async function unmarkPod(client: Client, listed: Pod, signal: AbortSignal): Promise<Unmarked> {
  let operations = unmarkPatch(listed);
  while (operations !== undefined) {
    try {
      const pod = await ifFound(client.patch(pods, listed.metadata, { type: "json", operations, signal }));
      return pod === undefined ? { kind: "gone" } : { kind: "removed", pod };
    } catch (error) {
      if (!isInvalid(error)) throw error;
      const current = await read(client, listed, signal);
      if (current === undefined) return { kind: "gone" };
      const next = unmarkPatch(current);
      if (deepEqual(next, operations)) throw error;
      operations = next;
    }
  }
  return { kind: "none" };
}

/** The Pod as it is now, by a list: steer may list Pods anyway, and so needs no right to get one. */
async function read(client: Client, { metadata }: Pod, signal: AbortSignal): Promise<Pod | undefined> {
  const { namespace, name, uid } = metadata;
  const { items } = await client.list(pods, { namespace, fieldSelector: `metadata.name=${name}` }, signal);
  return items.find((pod) => pod.metadata.uid === uid);
}
