import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { pods as podResource } from "../../api/resources.ts";
import { judgeClaim } from "../../decisions/replicas/judge-claim.ts";
import { ownerReference } from "../../decisions/replicas/owner-reference.ts";
import { isGoing, type ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import { isInvalid, isNotFound } from "../../machinery/client/api-error.ts";
import type { Errand } from "./errand.ts";
import { messageOf } from "./message-of.ts";

/**
 * The Pods that are an owner's, once orphans it selects have been adopted and Pods it no longer selects let go.
 * Every Pod is tried; then whatever failed is thrown as one.
 */
export async function claimPods<T extends ReplicaOwner>(
  pods: readonly Pod[],
  errand: Errand<T>,
): Promise<readonly Pod[]> {
  const mayAdopt = once(() => recheck(errand));
  const claimed: Pod[] = [];
  const errors: unknown[] = [];
  for (const pod of pods) {
    const claim = judgeClaim(pod, errand);
    if (claim === "ours") claimed.push(pod);
    if (claim === "ours" || claim === "not ours") continue;
    try {
      if (claim === "release") await release(pod, errand);
      else if (await adopt(pod, errand, mayAdopt)) claimed.push(pod);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, errors.map(messageOf).join("; "));
  return claimed;
}

/**
 * Asks the server itself whether the owner is still the one we know: an informer may be late, and a Pod adopted for an
 * owner that is gone would be collected with it.
 */
async function recheck<T extends ReplicaOwner>({
  key,
  owner,
  kind,
  client,
  signal,
}: Errand<T>): Promise<void> {
  const { namespace, name, uid } = owner.metadata;
  const live = await client.get(kind.resource, { namespace, name }, signal);
  const what = `${kind.resource.kind} ${key}`;
  if (live.metadata.uid !== uid) throw new Error(`${what} is gone, another one has its name`);
  if (isGoing(live)) throw new Error(`${what} is being deleted`);
}

/** Takes over an orphan; `false` when it is gone. */
async function adopt<T extends ReplicaOwner>(
  pod: Pod,
  { owner, kind, client, wrote, signal }: Errand<T>,
  mayAdopt: () => Promise<void>,
): Promise<boolean> {
  await mayAdopt();
  try {
    const body = ownershipPatch(pod, { ...ownerReference(kind.resource, owner) });
    const adopted = await client.patch(podResource, pod.metadata, { type: "strategic", body, signal });
    if (controllerOf(adopted) !== undefined) wrote(podResource, adopted);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

async function release<T extends ReplicaOwner>(
  pod: Pod,
  { owner, client, signal }: Errand<T>,
): Promise<void> {
  try {
    const body = ownershipPatch(pod, { $patch: "delete", uid: owner.metadata.uid });
    await client.patch(podResource, pod.metadata, { type: "strategic", body, signal });
  } catch (error) {
    // Gone, or another Pod of that name: either way there is nothing left to let go.
    if (!isNotFound(error) && !isInvalid(error)) throw error;
  }
}

/** Owner references are merged by UID; the Pod's own UID makes sure that no other Pod of that name is meant. */
function ownershipPatch({ metadata }: Pod, reference: JsonObject): JsonObject {
  return { metadata: { uid: metadata.uid, ownerReferences: [reference] } };
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => (answer ??= ask());
}
