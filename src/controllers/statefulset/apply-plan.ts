import { messageOf } from "../../api/message-of.ts";
import type { Batch, OrdinalActions, StatefulAction } from "../../decisions/stateful/action.ts";
import { attemptAll } from "../../machinery/attempt-all.ts";
import { applyStatefulAction } from "./apply-action.ts";
import type { StatefulSync } from "./sync-context.ts";

/** What came of the batches of a plan. */
export interface AppliedPlan {
  /** How many Pods were deleted to be replaced by others. */
  readonly replaced: number;
  /** The first failure; what came after its batch was not done. */
  readonly error?: unknown;
}

/** Applies batches in their order until one of them has a failure. */
export async function applyBatches(batches: readonly Batch[], context: StatefulSync): Promise<AppliedPlan> {
  let replaced = 0;
  const done = (action: StatefulAction) => {
    if (action.kind === "delete-pod" && action.reason.kind === "outdated") replaced++;
  };
  for (const batch of batches) {
    const attempt = (actions: OrdinalActions) => applyInOrder(actions, context, done);
    const errors = await attemptAll(batch, attempt, context.clock);
    if (errors.length > 0) return { replaced, error: errors[0] };
  }
  return { replaced };
}

/** Applies the actions for one ordinal in their order, up to the first that fails. */
async function applyInOrder(
  { actions }: OrdinalActions,
  context: StatefulSync,
  done: (action: StatefulAction) => void,
): Promise<void> {
  for (const action of actions) {
    try {
      await applyStatefulAction(action, context);
    } catch (error) {
      reportMissingPod(action, actions, { context, error });
      throw error;
    }
    done(action);
  }
}

/** A claim that could not be created leaves its Pod without an event of its own. */
function reportMissingPod(
  failed: StatefulAction,
  actions: readonly StatefulAction[],
  { context, error }: { readonly context: StatefulSync; readonly error: unknown },
): void {
  if (failed.kind !== "create-claim" || !actions.some(({ kind }) => kind === "create-pod")) return;
  context.statefulEvents.failed("Create", failed.podName, messageOf(error));
}
