import { findCondition } from "../../../api/conditions.ts";
import type { Node, NodeCondition } from "../../../api/generated/core-v1.ts";
import { formatTime, type Instant } from "../../../api/time.ts";

const monitoredConditions = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"];

/** Returns the conditions to set to Unknown on a node whose kubelet has been silent for too long. */
export function unknownConditions({ status }: Node, now: Instant): readonly NodeCondition[] {
  const at = formatTime(now);
  return monitoredConditions.flatMap((type) => {
    const stored = findCondition(status?.conditions, type);
    if (stored?.status === "Unknown") return [];
    const why =
      stored === undefined
        ? { reason: "NodeStatusNeverUpdated", message: "Kubelet never posted node status." }
        : { reason: "NodeStatusUnknown", message: "Kubelet stopped posting node status." };
    return [{ ...stored, type, status: "Unknown", ...why, lastTransitionTime: at }];
  });
}
