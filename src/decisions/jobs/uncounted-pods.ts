import type { JobStatus } from "../../api/generated/batch-v1.ts";

/** A status in which the UIDs of Pods without a finalizer have become counts. */
export function withReleasedCounted(status: JobStatus, tracked: ReadonlySet<string>): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const isUncounted = (uid: string) => tracked.has(uid);
  const left = { succeeded: succeeded.filter(isUncounted), failed: failed.filter(isUncounted) };
  return encodedStatus({
    ...status,
    succeeded: (status.succeeded ?? 0) + succeeded.length - left.succeeded.length,
    failed: (status.failed ?? 0) + failed.length - left.failed.length,
    uncountedTerminatedPods: left,
  });
}

type LooseStatus = { readonly [Name in keyof JobStatus]: JobStatus[Name] | undefined };

/** A status as Go encodes it: without empty lists and texts, and without most counters at 0. */
export function encodedStatus({ uncountedTerminatedPods, ...status }: LooseStatus): JobStatus {
  const { succeeded = [], failed = [] } = uncountedTerminatedPods ?? {};
  const kept = Object.entries(status).filter(
    ([name, value]) => value !== undefined && ((value !== "" && value !== 0) || alwaysWritten.has(name)),
  );
  return {
    ...Object.fromEntries(kept),
    uncountedTerminatedPods: {
      ...(succeeded.length > 0 && { succeeded }),
      ...(failed.length > 0 && { failed }),
    },
  };
}

/** Members that are written even when they are 0 or empty. */
const alwaysWritten: ReadonlySet<string> = new Set(["ready", "terminating", "failedIndexes"]);
