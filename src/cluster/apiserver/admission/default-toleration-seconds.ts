import type { Pod, Toleration } from "../../../api/generated/core-v1.ts";
import type { Sent } from "../../../api/kinds/sent.ts";

/** What a node is tainted with when its Pods may be lost. */
const unavailableNodeTaints = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

/** The Pod with five minutes of patience for a lost node, where it does not say how patient it is. */
export function defaultTolerations(pod: Sent<Pod>): Sent<Pod> {
  const tolerations = pod.spec?.tolerations ?? [];
  const missing = unavailableNodeTaints.filter(
    (taint) => !tolerations.some((toleration) => covers(toleration, taint)),
  );
  if (missing.length === 0) return pod;
  return {
    ...pod,
    spec: { ...pod.spec, tolerations: [...tolerations, ...missing.map(fiveMinuteToleration)] },
  };
}

function fiveMinuteToleration(key: string): Toleration {
  return { key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 };
}

function covers({ key = "", effect = "" }: Sent<Toleration>, taint: string): boolean {
  return (key === taint || key === "") && (effect === "NoExecute" || effect === "");
}
