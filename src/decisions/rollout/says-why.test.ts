import * as fc from "fast-check";
import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { RolloutAction } from "./action.ts";
import { budgets, anyEvents, applyEvent, rolledOut, observedState } from "./rollout-model.cases.ts";
import { revisionsOf } from "./fleet.ts";
import type { RevisionLimit } from "./limit.ts";
import { planRollout } from "./plan-rollout.ts";
import { isComplete } from "./progress.ts";
import type { RolloutState } from "./state.ts";

/** Does something other than to say how things are. */
const isDeed = ({ kind }: RolloutAction) => kind !== "update-status" && kind !== "record-event";

/** Says what is waited for. */
const isReason = ({ limit: { kind } }: RevisionLimit) =>
  kind !== "none" && kind !== "next-pass" && kind !== "complete";

function expectReason(state: RolloutState): void {
  const { actions, limits, status, kind } = planRollout(state);
  if (kind === "none" || actions.some(isDeed) || isComplete(revisionsOf(state), status)) return;
  if (!limits.some(isReason)) expect.fail(`no reason: ${JSON.stringify({ kind, limits })}`);
}

test.for(["RollingUpdate", "Recreate"] as const)(
  "whenever a plan does nothing about a rollout that is not done, it says what that waits for (%s)",
  (strategy) => {
    const policies = fc.constantFrom(null, "TerminationStarted", "TerminationComplete");
    fc.assert(
      fc.property(budgets, policies, anyEvents, (traits, policy, moves) => {
        let world = rolledOut({ ...traits, strategy, policy }, defaultFeatureGates);
        for (const next of moves) {
          if (next.kind === "plan") expectReason(observedState(world));
          world = applyEvent(world, next);
        }
      }),
      { numRuns: 100 },
    );
  },
);
