import type { Pod } from "../../api/generated/core-v1.ts";
import type { Labels } from "../../api/labels/label-selector.ts";
import { isAvailable, isReady } from "../../api/pod-state.ts";
import { semanticEqual } from "../../api/schema/semantic-equality.ts";
import type { Instant } from "../../api/time.ts";
import { minReadySecondsOf } from "./availability.ts";
import { type ManageOutcome, withReplicaFailure } from "./replica-failure.ts";
import type { ReplicaOwner, ReplicaStatus } from "./replica-owner.ts";

export interface StatusState {
  readonly owner: ReplicaOwner;
  /** Its active Pods as they were before anything was created or deleted. */
  readonly active: readonly Pod[];
  /** How many of its Pods are ending; absent where that is not reported. */
  readonly terminating?: number | undefined;
  readonly managed: ManageOutcome;
  readonly now: Instant;
}

/** What an owner has to report: counts, and whether Pods could not be created or deleted; others' conditions stay. */
export function replicaStatus({ owner, active, terminating, managed, now }: StatusState): ReplicaStatus {
  const conditions = withReplicaFailure(owner.status?.conditions, managed, now);
  const observedGeneration = owner.metadata.generation ?? 0;
  return {
    ...nonZero({ ...countsOf(owner, active, now), observedGeneration }),
    ...(terminating === undefined ? {} : { terminatingReplicas: terminating }),
    ...(conditions === undefined ? {} : { conditions }),
  };
}

/** Whether a status says nothing new. The generation is news as well: people wait for it to be observed. */
export function isReported({ status: reported }: ReplicaOwner, status: ReplicaStatus): boolean {
  if (reported === undefined || reported === null) return false;
  return semanticEqual("apps.v1.ReplicaSetStatus", reported, status);
}

function countsOf(owner: ReplicaOwner, active: readonly Pod[], now: Instant): ReplicaStatus {
  const templateLabels = Object.entries(owner.spec?.template?.metadata?.labels ?? {});
  const minReadySeconds = minReadySecondsOf(owner);
  let labelled = 0;
  let ready = 0;
  let available = 0;
  for (const pod of active) {
    if (hasLabels(pod.metadata.labels, templateLabels)) labelled++;
    if (!isReady(pod)) continue;
    ready++;
    if (isAvailable(pod, minReadySeconds, now)) available++;
  }
  return {
    replicas: active.length,
    fullyLabeledReplicas: labelled,
    readyReplicas: ready,
    availableReplicas: available,
  };
}

function hasLabels(labels: Labels, wanted: readonly (readonly [string, string])[]): boolean {
  return wanted.every(([key, value]) => labels?.[key] === value);
}

/** Counters that are written even at 0: it is what they are there to say. */
const alwaysWritten: ReadonlySet<string> = new Set(["replicas", "terminatingReplicas"]);

/** A status as Go writes it: other counters at 0 are left out. */
function nonZero({ replicas, ...more }: ReplicaStatus): ReplicaStatus {
  const kept = Object.entries(more).filter(([name, value]) => value !== 0 || alwaysWritten.has(name));
  return { replicas, ...Object.fromEntries(kept) };
}
