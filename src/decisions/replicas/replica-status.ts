import { extended } from "../../api/extended.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Labels } from "../../api/labels/label-selector.ts";
import { isAvailable, isReady } from "../../api/pod-state.ts";
import { semanticEqual } from "../../api/schema/semantic-equality.ts";
import type { Instant } from "../../api/time.ts";
import type { PickerState } from "../downscale/picker-state.ts";
import { finish, podsPerStep, type Steps } from "../downscale/steps.ts";
import { minReadySecondsOf } from "./plan-replicas.ts";
import { withPickerHealth } from "./picker-condition.ts";
import { type HoldReport, withRemovalHeld } from "./held-removal.ts";
import { type ManageOutcome, withReplicaFailure } from "./replica-failure.ts";
import type { ReplicaOwner, ReplicaStatus } from "./replica-owner.ts";

export interface StatusState {
  readonly owner: ReplicaOwner;
  /** Its active Pods as they were before anything was created or deleted. */
  readonly active: readonly Pod[];
  /** How many of its Pods are being deleted; absent where that is not reported. */
  readonly terminating?: number | undefined;
  readonly managed: ManageOutcome;
  /** Whether `active` is out of date, as in `ReplicasState`; absent: no. */
  readonly isExpecting?: boolean;
  /** Absent: not known. */
  readonly picker?: Pick<PickerState, "health"> | undefined;
  /** Absent: not known. */
  readonly holds?: HoldReport | undefined;
  readonly now: Instant;
}

/** What an owner reports: counts, failures to create or delete Pods, its picker; conditions of other types stay. */
export function replicaStatus(state: StatusState): ReplicaStatus {
  return finish(replicaStatusInSteps(state));
}

/** Generator variant of `replicaStatus`, for callers that do other work between its steps. */
export function* replicaStatusInSteps(state: StatusState): Steps<ReplicaStatus> {
  const { owner, active, terminating, managed, picker, holds = { kind: "unknown" }, now } = state;
  const counts = yield* countsOf(owner, active, now);
  const failures = withReplicaFailure(owner.status?.conditions, managed, now);
  const healthy = withPickerHealth(failures, picker?.health ?? { kind: "unknown" }, now);
  const conditions = withRemovalHeld(healthy, holds, now);
  const observedGeneration = observedGenerationOf(state);
  return extended(nonZero(extended(counts, { observedGeneration })), {
    ...(terminating === undefined ? {} : { terminatingReplicas: terminating }),
    ...(conditions === undefined ? {} : { conditions }),
  });
}

/**
 * The generation that the counts belong to. A sync that cannot act on a size, because Pods that were created or deleted
 * for an earlier one are still counted wrongly, has not observed it: a Deployment relies on the counts of the current
 * generation, and would replace a Pod whose deletion they do not show.
 */
function observedGenerationOf({ owner, isExpecting = false }: StatusState): number {
  return (isExpecting ? owner.status?.observedGeneration : owner.metadata.generation) ?? 0;
}

/** Whether a status is stored already; a new observed generation is worth a write too, because users wait for it. */
export function isReported({ status: reported }: ReplicaOwner, status: ReplicaStatus): boolean {
  if (reported === undefined || reported === null) return false;
  return semanticEqual("apps.v1.ReplicaSetStatus", reported, status);
}

function* countsOf(owner: ReplicaOwner, active: readonly Pod[], now: Instant): Steps<ReplicaStatus> {
  const templateLabels = Object.entries(owner.spec?.template?.metadata?.labels ?? {});
  const minReadySeconds = minReadySecondsOf(owner);
  let labelled = 0;
  let ready = 0;
  let available = 0;
  let seen = 0;
  for (const pod of active) {
    if (++seen % podsPerStep === 0) yield;
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
  for (const label of wanted) if (labels?.[label[0]] !== label[1]) return false;
  return true;
}

/** Counters that are written even at 0. */
const alwaysWritten: ReadonlySet<string> = new Set(["replicas", "terminatingReplicas"]);

/** A status as Go encodes it: other counters at 0 are left out. */
function nonZero({ replicas, ...more }: ReplicaStatus): ReplicaStatus {
  const kept = Object.entries(more).filter(([name, value]) => value !== 0 || alwaysWritten.has(name));
  return { replicas, ...Object.fromEntries(kept) };
}
