import { checkDownscaleOrder } from "./downscale-order.ts";
import { checkFenceposts } from "./fenceposts.ts";
import { checkReplacementNewSize } from "./replacement-new-size.ts";
import { checkReplacementScale } from "./replacement-scale.ts";
import { proportionalShares } from "../../src/decisions/rollout/proportional-scale.ts";
import { scaleReplicaSets } from "../../src/decisions/rollout/scale.ts";
import { checkSizing } from "./check-sizing.ts";
import { sizeNewReplicaSet } from "../../src/decisions/rollout/new-replica-set.ts";
import { shrinkOldReplicaSets } from "../../src/decisions/rollout/rolling-update.ts";
import { checkPlacement } from "./placement-case.ts";
import { interpretPickerAnswer } from "../../src/decisions/downscale/picker-answer.ts";
import { isCandidate } from "../../src/decisions/downscale/picker-question.ts";
import { rankPods } from "../../src/decisions/downscale/rank-pods.ts";
import { type DownscaleInput, factsOf } from "./downscale-input.ts";

/** Runs one case and says what differed; `undefined` when it passes. */
export type Check = (vector: unknown) => string | undefined;

/** One pass of the scale path, shared out as Kubernetes does: without our check of the surge. */
const checkDeploymentScale = checkSizing((revisions) => {
  const result = scaleReplicaSets(revisions, proportionalShares);
  return result.kind === "proceed" ? result.actions : [];
});

/** One pass that sizes the new ReplicaSet in a rolling update. */
const checkRollingNew = checkSizing((revisions) => {
  const result = sizeNewReplicaSet(revisions);
  return result.kind === "proceed" ? result.actions : [];
});

/** One pass that shrinks the old ReplicaSets in a rolling update. */
const checkRollingOld = checkSizing((revisions) => shrinkOldReplicaSets(revisions).actions);

interface Vector extends DownscaleInput {
  readonly pickerAnswer: unknown;
  readonly order: readonly string[];
  /** The rule that puts each Pod before the next. */
  readonly because: readonly string[];
}

/** The whole removal order, labels and a picker's answer included, and the rule behind every step of it. */
const checkRemovalOrder: Check = (vector) => {
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

/** Every kind of vector we know, one line each. */
export const kinds: Readonly<Record<string, Check>> = {
  "downscale-order": checkDownscaleOrder,
  "removal-order": checkRemovalOrder,
  fenceposts: checkFenceposts,
  "deployment-scale": checkDeploymentScale,
  "rolling-new": checkRollingNew,
  "rolling-old": checkRollingOld,
  "replacement-new-size": checkReplacementNewSize,
  "replacement-scale": checkReplacementScale,
  spread: checkPlacement,
  schedule: checkPlacement,
};
