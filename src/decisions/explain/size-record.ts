import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import { deepEqual } from "../../api/deep-equal.ts";
import { formatMicroTime, type Instant } from "../../api/time.ts";
import type { PodBudget } from "../stock/admitted-size.ts";
import type { RecordedWorkload } from "./removal-record.ts";

/** A ReplicaSet that was admitted with a smaller size than was asked for. */
export interface SizeDecision {
  readonly deployment: Deployment;
  /** Another kind of which the Deployment is only the form. */
  readonly kind?: string;
  readonly replicaSet: Pick<ReplicaSet, "metadata">;
  readonly old: number;
  readonly asked: number;
  readonly admitted: number;
  readonly budget: PodBudget;
  readonly now: Instant;
}

/** A capped size as plain JSON. */
export interface SizeRecord {
  readonly time: string;
  readonly workload: RecordedWorkload;
  readonly replicaSet: string;
  readonly old: number;
  readonly asked: number;
  readonly admitted: number;
  readonly budget: PodBudget;
  readonly reason: string;
}

/** How capped sizes are recorded. */
export const sizeEncoder = {
  limits: { perObject: 20, weight: 50_000 },
  subject: workloadOf,
  weight: (): number => 1,
  toRecord: (decision: SizeDecision): SizeRecord => {
    const { replicaSet, old, asked, admitted, budget, now } = decision;
    return {
      time: formatMicroTime(now),
      workload: workloadOf(decision),
      replicaSet: replicaSet.metadata.name,
      old,
      asked,
      admitted,
      budget,
      reason: sizeReason(decision),
    };
  },
  isRepeat: (previous: SizeRecord, { time, ...next }: SizeRecord): boolean =>
    deepEqual({ ...previous, time }, { ...next, time }),
};

/** Why a ReplicaSet did not get the size that was asked for: `web-6d4 has 3 replicas instead of 4: 10 Pods and 2 terminating ones, 10 + 2 allowed`. */
export function sizeReason({
  replicaSet,
  asked,
  admitted,
  budget,
}: Pick<SizeDecision, "replicaSet" | "asked" | "admitted" | "budget">): string {
  const { pods, terminating, replicas, maxSurge } = budget;
  return (
    `ReplicaSet ${replicaSet.metadata.name} is admitted with ${admitted} replicas instead of ${asked}: ` +
    `${pods} Pods and ${terminating} terminating, ${replicas} + ${maxSurge} allowed`
  );
}

function workloadOf({ deployment, kind = "Deployment" }: SizeDecision): RecordedWorkload {
  const { namespace = "", name, uid } = deployment.metadata;
  return { kind, namespace, name, uid };
}
