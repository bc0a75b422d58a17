import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { JsonObject } from "../api/json.ts";
import { messageOf } from "../api/message-of.ts";
import { replicaSets } from "../api/resources.ts";
import { deferredLabel, deferredText } from "../decisions/stock/deferred-shrink.ts";
import { ifFound, isInvalid } from "../machinery/client/api-error.ts";
import type { SteeringDependencies } from "./dependencies.ts";

const path = `/metadata/labels/${deferredLabel.replace("/", "~1")}`;

/**
 * Changes what a ReplicaSet says of its deferred scale-down: another text, none, and with it a size. Does nothing if it
 * says something else by now: a person, or another copy, was first.
 */
export async function writeDeferral(
  replicaSet: ReplicaSet,
  { text, size }: { readonly text?: string; readonly size?: number },
  { client, signal }: { readonly client: SteeringDependencies["client"]; readonly signal?: AbortSignal },
): Promise<void> {
  const { metadata } = replicaSet;
  const operations: readonly JsonObject[] = [
    { op: "test", path: "/metadata/uid", value: metadata.uid },
    { op: "test", path, value: deferredText(replicaSet) ?? "" },
    ...(size === undefined ? [] : [{ op: "replace", path: "/spec/replicas", value: size }]),
    text === undefined ? { op: "remove", path } : { op: "replace", path, value: text },
  ];
  const patch = { type: "json", operations, ...(signal === undefined ? {} : { signal }) } as const;
  try {
    await ifFound(client.patch(replicaSets, metadata, patch));
  } catch (error) {
    if (!isInvalid(error)) throw error;
  }
}

/** Ends a deferral beside a request that needs no answer about it. */
export async function endDeferral(
  replicaSet: ReplicaSet,
  { client, log }: Pick<SteeringDependencies, "client" | "log">,
): Promise<void> {
  if (deferredText(replicaSet) === undefined) return;
  try {
    await writeDeferral(replicaSet, {}, { client });
  } catch (error) {
    const { namespace, name } = replicaSet.metadata;
    log.warn("a deferred scale-down could not be cancelled", { namespace, name, error: messageOf(error) });
  }
}
