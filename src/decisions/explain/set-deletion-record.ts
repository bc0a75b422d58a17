import type { Pod } from "../../api/generated/core-v1.ts";
import type { StoredObject } from "../../api/object.ts";
import { formatMicroTime, type Instant } from "../../api/time.ts";
import type { RecordedWorkload } from "./removal-record.ts";

/** A Pod that the controller of a StatefulSet or DaemonSet deletes, and why. */
export interface SetDeletion {
  readonly workload: RecordedWorkload;
  readonly pod: Pod;
  readonly at: Instant;
  /** The kind of the reason, such as `scaled-down` or `not-eligible`. */
  readonly rule: string;
  /** The reason as a sentence. */
  readonly reason: string;
}

/** A deletion as plain JSON. */
export interface SetDeletionRecord extends Pick<SetDeletion, "workload" | "rule" | "reason"> {
  readonly time: string;
  readonly pod: string;
  readonly uid: string;
  readonly node?: string;
}

/** The workload that a deletion is recorded of. */
export function recordedSet(kind: string, { metadata }: StoredObject): RecordedWorkload {
  const { namespace = "", name, uid } = metadata;
  return { kind, namespace, name, uid };
}

/** How such deletions are recorded. */
export const setDeletionEncoder = {
  limits: { perObject: 100, weight: 10_000 },
  subject: ({ workload }: SetDeletion): RecordedWorkload => workload,
  weight: (): number => 1,
  toRecord: ({ workload, pod, at, rule, reason }: SetDeletion): SetDeletionRecord => ({
    time: formatMicroTime(at),
    workload,
    pod: pod.metadata.name,
    uid: pod.metadata.uid,
    ...(pod.spec.nodeName === undefined ? {} : { node: pod.spec.nodeName }),
    rule,
    reason,
  }),
};
