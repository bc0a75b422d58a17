import { keyOf } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import type { FailureCause } from "../assertions/assertion-check.ts";
import type { PodChange } from "../tracking/cluster-tracker.ts";
import type { DecisionJournal } from "../tracking/decision-journal.ts";
import type { TalliedPodState } from "../tracking/pod-tally.ts";
import type { RemovedPod } from "../tracking/removed-pods.ts";

/** A change that assertions were checked after. */
export interface ObservedChange {
  /** Absent: no Pod changed. */
  readonly change: PodChange | undefined;
  /** Present if a deletion began. */
  readonly removal: RemovedPod | undefined;
  readonly at: Instant;
}

/** Returns the cause of the change of a Pod that broke an assertion. */
export function failureCause(
  journal: DecisionJournal,
  { change, removal, at }: ObservedChange,
): FailureCause {
  if (change === undefined) return {};
  const { pod } = change.tracked;
  // A removed Pod may be gone, and forgotten, when the moment is over.
  const removing = change.kind === "deletion-began" ? journal.behind(change, at) : undefined;
  const whileBusy = removal?.isBusy === true ? " while it is busy" : "";
  const by = removal === undefined || removing !== undefined ? "" : `, by ${removal.by}: ${removal.reason}`;
  return {
    change: `Pod ${keyOf(pod)} ${changeText(change)}${whileBusy}${by}`,
    decision: () => removing ?? journal.behind(change, at),
  };
}

const stateTexts: Readonly<Record<TalliedPodState, string>> = {
  pending: "waits to run",
  notReady: "is not ready",
  ready: "is ready",
  terminating: "is being deleted",
};

function changeText({ kind, stateBefore, tracked: { pod, share } }: PodChange): string {
  const node = pod.spec.nodeName === undefined ? "" : ` on ${pod.spec.nodeName}`;
  switch (kind) {
    case "created":
      return "is created";
    case "deletion-began":
      return "is removed";
    case "bound":
      return `gets its node${node.replace(" on", ":")}`;
    case "gone":
      return "is gone";
    case "ended":
    case "changed": {
      if (share === undefined) return `has ended${node}: ${pod.status?.reason ?? pod.status?.phase ?? ""}`;
      const again = share.state === stateBefore ? "still " : "";
      return `${stateTexts[share.state].replace(/^is /, `is ${again}`)}${node}`;
    }
  }
}
