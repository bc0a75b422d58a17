import type { Scale } from "../../api/generated/autoscaling-v1.ts";
import type {
  CrossVersionObjectReference,
  HorizontalPodAutoscaler,
} from "../../api/generated/autoscaling-v2.ts";
import { messageOf } from "../../api/message-of.ts";
import type { StoredMeta, StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import { ApiError, isConflict, ifFound } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import { apiGroupOf, referencedResource } from "./referenced-resource.ts";

/** The Scale of a workload, which is its subresource. */
export type StoredScale = Scale & { readonly metadata: StoredMeta };

/** The target of an autoscaler and its Scale, or why there is none. */
export type ReadScale =
  | { readonly kind: "scale"; readonly resource: Resource<StoredScale>; readonly scale: StoredScale }
  | { readonly kind: "failed"; readonly problem: string };

/** Reads the Scale of an autoscaler's target; a lost connection throws. */
export async function readScale(
  client: Client,
  { spec, metadata }: HorizontalPodAutoscaler,
  signal: AbortSignal,
): Promise<ReadScale> {
  const { scaleTargetRef: target } = spec;
  const resource = await referencedResource(client, target, signal);
  if (resource === undefined) {
    const group = apiGroupOf(target.apiVersion);
    return {
      kind: "failed",
      problem: `no matches for kind ${JSON.stringify(target.kind)} in group ${JSON.stringify(group)}`,
    };
  }
  const name = { namespace: metadata.namespace, name: target.name, subresource: "scale" } as const;
  try {
    const scales = resource as Resource<StoredScale>;
    return { kind: "scale", resource: scales, scale: await client.get(scales, name, signal) };
  } catch (error) {
    if (error instanceof ApiError) return { kind: "failed", problem: messageOf(error) };
    throw error;
  }
}

/** Reads the object that an Object metric describes; `undefined` if there is none, or its kind is not known. */
export async function readDescribed(
  client: Client,
  {
    reference,
    namespace,
  }: { readonly reference: CrossVersionObjectReference; readonly namespace: string | undefined },
  signal: AbortSignal,
): Promise<StoredObject | undefined> {
  const resource = await referencedResource(client, reference, signal);
  if (resource === undefined) return undefined;
  const place = resource.namespaced ? { namespace, name: reference.name } : { name: reference.name };
  return ifFound(client.get(resource, place, signal));
}

/** Limits how often a Scale is written again after a conflict. */
const mostAttempts = 5;

/** Sets the replicas of a Scale and retries after conflicts with other writes. Rejects with the error of the API server. */
export async function writeReplicas(
  client: Client,
  { resource, scale }: Extract<ReadScale, { readonly kind: "scale" }>,
  { replicas, signal }: { readonly replicas: number; readonly signal: AbortSignal },
): Promise<void> {
  const { namespace, name } = scale.metadata;
  let latest = scale;
  for (let attempt = 1; ; attempt++) {
    try {
      await client.update(resource, { ...latest, spec: { replicas } }, { subresource: "scale", signal });
      return;
    } catch (error) {
      if (!isConflict(error) || attempt === mostAttempts) throw error;
    }
    latest = await client.get(resource, { namespace, name, subresource: "scale" }, signal);
  }
}
