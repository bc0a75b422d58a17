import {
  countText,
  joinParagraphs,
  type TextCell,
  type TextOptions,
  plain,
  textTable,
} from "../../decisions/explain/text-table.ts";
import type { PodScore } from "../../picker/serve/evaluate-rule.ts";
import type { AnswerPreview } from "../../picker/serve/preview-answers.ts";

/** What pickers would answer now, as a table for each workload. */
export function answersText(previews: readonly AnswerPreview[], { paint = plain }: TextOptions): string {
  if (previews.length === 0) return "no picker of the configuration is for a workload that exists";
  const headings = ["POD", "NUMBER", "COUNTS AS", "PROTECTED", "WHY"];
  return joinParagraphs(
    previews.map((preview) => [
      heading(preview),
      ...(preview.scores.length === 0 ? [] : textTable(headings, preview.scores.map(rowOf), paint)),
    ]),
  );
}

function heading({ picker, asked: { namespace, workload }, scores }: AnswerPreview): string {
  const ready = scores.length === 0 ? "no ready Pod" : countText(scores.length, "ready Pod");
  return `${workload.kind}/${workload.name} in ${namespace}, by picker ${picker}: ${ready}; the first go first`;
}

function rowOf({ pod, number, score, isProtected, failure }: PodScore): readonly TextCell[] {
  return [
    pod,
    number === undefined ? "-" : String(number),
    scoreText(score),
    isProtected ? { text: "yes", style: "open" } : "no",
    { text: whyText(number, failure), style: failure === undefined ? "quiet" : "bad" },
  ];
}

function scoreText(score: number): string {
  if (score === Infinity) return "last";
  return score === -Infinity ? "first" : String(score);
}

function whyText(number: number | undefined, failure: PodScore["failure"]): string {
  if (failure !== undefined)
    return failure.detail === undefined ? failure.class : `${failure.class}: ${failure.detail}`;
  return number === undefined ? "the source has no number for it" : "";
}
