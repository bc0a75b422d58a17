import { ifFound } from "../../machinery/client/api-error.ts";
import { failure } from "../command-failure.ts";
import type { Context } from "../context.ts";
import type { Item } from "../selection/fetch-objects.ts";
import { textAt } from "../selection/kube-object.ts";
import { resourcePath } from "../server/discovery.ts";
import { watchEvents } from "../server/watch-events.ts";
import { timeLimitOf, TimedOut, withinTime } from "./time-limit.ts";

/** Waits until objects are gone; throws what kubectl says of those that are not after the timeout. */
export async function waitForDeletion(
  context: Context,
  items: readonly Item[],
  timeout: string,
): Promise<void> {
  const limit = timeLimitOf(timeout, "timeout");
  for (const item of items) {
    try {
      await withinTime(context, limit > 0 ? limit : undefined, (limited) => untilGone(limited, item));
    } catch (error) {
      if (!(error instanceof TimedOut)) throw error;
      throw failure(
        `timed out waiting for the condition on ${item.resource.plural}/${item.object.metadata.name}`,
      );
    }
  }
}

/** Resolves when an object, or the one of its name that had its UID, is gone. */
export async function untilGone(context: Context, { resource, object }: Item): Promise<void> {
  const { name, namespace, uid } = object.metadata;
  const left = await ifFound(context.server.get(resourcePath(resource, { namespace, name })));
  if (left === undefined || textAt(left, "metadata", "uid") !== uid) return;
  const query = {
    fieldSelector: `metadata.name=${name}`,
    resourceVersion: textAt(left, "metadata", "resourceVersion"),
  };
  for await (const event of watchEvents(context, { path: resourcePath(resource, { namespace }), query }))
    if (event.type === "DELETED") return;
}
