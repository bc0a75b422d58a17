import { interpretPickerAnswer } from "../../src/decisions/downscale/picker-answer.ts";
import { isCandidate } from "../../src/decisions/downscale/picker-question.ts";
import { rankPods } from "../../src/decisions/downscale/rank-pods.ts";
import { type DownscaleInput, factsOf } from "./downscale-input.ts";
import type { Check } from "./kinds.ts";

interface Vector extends DownscaleInput {
  readonly pickerAnswer: unknown;
  readonly order: readonly string[];
  /** The rule that puts each Pod before the next. */
  readonly because: readonly string[];
}

/** The whole removal order, labels and a picker's answer included, and the rule behind every step of it. */
export const checkRemovalOrder: Check = (vector) => {
  const { pickerAnswer, order, because, ...input } = vector as Vector;
  const candidates = input.pods.filter(isCandidate).map((pod) => pod.metadata.name);
  const answer = interpretPickerAnswer(pickerAnswer, candidates);
  const facts = { ...factsOf(input), ...(answer.kind === "Ranked" ? { picks: answer } : {}) };
  const { pods, why } = rankPods(input.pods, facts);

  const got = pods.map((pod) => pod.metadata.name);
  if (String(got) !== String(order)) return `order: got ${String(got)}, want ${String(order)}`;
  const rules = pods.slice(1).map((_, place) => why(place)?.rule);
  if (String(rules) !== String(because)) return `because: got ${String(rules)}, want ${String(because)}`;
  return undefined;
};
