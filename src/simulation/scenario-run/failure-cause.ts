import { keyOf } from "../../api/object.ts";
import type { FailureCause } from "../assertions/assertion-check.ts";
import type { PodChange } from "../tracking/cluster-tracker.ts";
import type { DecisionJournal } from "../tracking/decision-journal.ts";
import type { PodState } from "../tracking/pod-tally.ts";
import type { RemovedPod } from "../tracking/removed-pods.ts";

/** What the change of a Pod that broke an assertion came from. */
export function failureCause(
  journal: DecisionJournal,
  change: PodChange | undefined,
  removal: RemovedPod | undefined,
): FailureCause {
  if (change === undefined) return {};
  const { pod } = change.tracked;
  const decision = journal.behind(change);
  const whileBusy = removal?.isBusy === true ? " while it is busy" : "";
  const by = removal === undefined || decision !== undefined ? "" : `, by ${removal.by}: ${removal.reason}`;
  return {
    change: `Pod ${keyOf(pod)} ${changeText(change)}${whileBusy}${by}`,
    ...(decision !== undefined && { decision }),
  };
}

const stateTexts: Readonly<Record<PodState, string>> = {
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
    case "changed": {
      if (share === undefined) return `has ended${node}: ${pod.status?.reason ?? pod.status?.phase ?? ""}`;
      const again = share.state === stateBefore ? "still " : "";
      return `${stateTexts[share.state].replace(/^is /, `is ${again}`)}${node}`;
    }
  }
}
