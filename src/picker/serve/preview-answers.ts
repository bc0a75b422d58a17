import { isReady } from "../../api/pod-state.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { PodScore } from "./evaluate-rule.ts";
import { compareScores } from "./removal-ranks.ts";
import type { ServedPickers } from "./served-pickers.ts";
import type { AskedWorkload, WorkloadPods } from "./workload-pods.ts";

/** What the picker of a workload would say now. */
export interface AnswerPreview {
  readonly picker: string;
  readonly asked: AskedWorkload;
  /** The first go first. */
  readonly scores: readonly PodScore[];
}

/** Asks the sources about every workload that a picker is for, as a scale-down would. */
export async function previewAnswers(
  served: ServedPickers,
  pods: WorkloadPods,
  signal: AbortSignal,
): Promise<readonly AnswerPreview[]> {
  const named = served.rules.flatMap(({ meant }) =>
    meant.by === "name"
      ? [{ namespace: meant.namespace, workload: { kind: meant.kind, name: meant.name } }]
      : [],
  );
  const all = new Map([...named, ...pods.workloads()].map((asked) => [textOf(asked), asked]));
  const previews: AnswerPreview[] = [];
  for (const asked of all.values()) {
    const evaluator = served.evaluatorFor(asked);
    if (evaluator === undefined) continue;
    const names = pods
      .all(asked)
      .filter(isCandidate)
      .map(({ metadata: { name } }) => name)
      .sort();
    const scores = await evaluator.evaluate({ ...asked, pods: names, signal });
    previews.push({
      picker: evaluator.rule.name,
      asked,
      scores: scores.toSorted(compareScores),
    });
  }
  return previews;
}

/** Which Pods a picker is asked about. */
function isCandidate(pod: Pod): boolean {
  return isReady(pod) && pod.spec.nodeName !== undefined && pod.metadata.deletionTimestamp === undefined;
}

function textOf({ namespace, workload: { kind, name } }: AskedWorkload): string {
  return `${namespace}/${kind}/${name}`;
}
