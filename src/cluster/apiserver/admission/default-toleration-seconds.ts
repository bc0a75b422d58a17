import { notReadyTaint, unreachableTaint } from "../../../api/well-known.ts";
import { extended } from "../../../api/extended.ts";
import type { Pod, Toleration } from "../../../api/generated/core-v1.ts";
import type { Sent } from "../../../api/sent.ts";

/** The taints of a node that is down. */
const unavailableNodeTaints = [notReadyTaint, unreachableTaint];

/** Returns the Pod with a toleration of 300 s for each of these taints that its own tolerations do not cover. */
export function defaultTolerations(pod: Sent<Pod>): Sent<Pod> {
  const tolerations = pod.spec?.tolerations ?? [];
  const missing = unavailableNodeTaints.filter(
    (taint) => !tolerations.some((toleration) => covers(toleration, taint)),
  );
  if (missing.length === 0) return pod;
  const complete = [...tolerations, ...missing.map(fiveMinuteToleration)];
  return { ...pod, spec: extended(pod.spec, { tolerations: complete }) };
}

function fiveMinuteToleration(key: string): Toleration {
  return { key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 };
}

function covers({ key = "", effect = "" }: Sent<Toleration>, taint: string): boolean {
  return (key === taint || key === "") && (effect === "NoExecute" || effect === "");
}
