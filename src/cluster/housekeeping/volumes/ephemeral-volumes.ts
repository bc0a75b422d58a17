import type { PersistentVolumeClaim, Pod, Volume } from "../../../api/generated/core-v1.ts";
import { type Draft, isBeingDeleted, keyOf } from "../../../api/object.ts";
import { controllerReference } from "../../../api/owner-references.ts";
import { persistentVolumeClaims, pods as podResource } from "../../../api/resources.ts";
import { ephemeralClaimName, foreignClaimProblem } from "../../../decisions/volumes/pod-claims.ts";
import { hasCause, isAlreadyExists, isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import { type ControllerSpec, done, watching } from "../../../machinery/controller.ts";
import { type EventRecorder, referenceTo } from "../../../machinery/events/event-draft.ts";
import type { Informer } from "../../../machinery/informer/informer.ts";
import { keyIn } from "./volume-indexes.ts";

export interface EphemeralVolumesDependencies {
  readonly client: Client;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly pods: Informer<Pod>;
  readonly events: EventRecorder;
}

/** Makes the claims of ephemeral volumes, which go with their Pods. */
export function ephemeralVolumesController(deps: EphemeralVolumesDependencies): ControllerSpec {
  const { client, claims, pods, events } = deps;
  const create = async (pod: Pod, volume: Volume, signal: AbortSignal) => {
    const name = ephemeralClaimName(pod.metadata.name, volume.name);
    const known = claims.get(keyIn(pod.metadata.namespace, name));
    const problem = known && foreignClaimProblem(known, pod);
    if (problem !== undefined) refuse(pod, problem);
    const draft = known === undefined ? claimFor(pod, volume) : undefined;
    if (draft === undefined) return;
    try {
      await client.create(persistentVolumeClaims, draft, { signal });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  };
  const refuse = (pod: Pod, message: string) =>
    events.record({
      regarding: referenceTo(podResource, pod),
      type: "Warning",
      reason: "ExistingClaim",
      message,
    });
  return {
    name: "ephemeral-volume",
    workers: 1,
    watches: [
      watching(pods, (queue) => {
        const enqueue = (pod: Pod) => {
          if (hasEphemeral(pod) && !isBeingDeleted(pod)) queue.add(keyOf(pod));
        };
        return { added: enqueue, updated: (_old, pod) => enqueue(pod) };
      }),
      watching(claims, (queue) => ({
        // The name of the Pod is in its reference; a claim that is gone is made again.
        deleted: ({ metadata: { namespace, ownerReferences = [] } }) => {
          for (const { kind, name } of ownerReferences) if (kind === "Pod") queue.add(keyIn(namespace, name));
        },
      })),
    ],
    ignores: (error) => isNotFound(error) || hasCause(error, "NamespaceTerminating"),

    async reconcile(key, signal) {
      const pod = pods.get(key);
      if (pod === undefined || isBeingDeleted(pod)) return done;
      for (const volume of pod.spec.volumes ?? []) await create(pod, volume, signal);
      return done;
    },
  };
}

/** Drafts the claim of an ephemeral volume, which the Pod owns; `undefined` for any other volume. */
function claimFor(pod: Pod, { name: volume, ephemeral }: Volume): Draft<PersistentVolumeClaim> | undefined {
  const template = ephemeral?.volumeClaimTemplate;
  if (template === undefined) return undefined;
  const { namespace, name } = pod.metadata;
  const { labels, annotations } = template.metadata ?? {};
  const metadata = {
    name: ephemeralClaimName(name, volume),
    ...(namespace !== undefined && { namespace }),
    ...(labels !== undefined && { labels }),
    ...(annotations !== undefined && { annotations }),
    ownerReferences: [controllerReference(podResource, pod)],
  };
  return { metadata, spec: template.spec };
}

function hasEphemeral({ spec }: Pod): boolean {
  return (spec.volumes ?? []).some(({ ephemeral }) => ephemeral !== undefined);
}
