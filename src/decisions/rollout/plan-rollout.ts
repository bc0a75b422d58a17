import type { Deployment, DeploymentStatus } from "../../api/generated/apps-v1.ts";
import { invalid } from "../../api/field-error.ts";
import { isBeingDeleted } from "../../api/object.ts";
import type { Instant } from "../../api/time.ts";
import type { RolloutAction } from "./action.ts";
import { withCountedPods } from "./counted-pods.ts";
import { deploymentFieldErrors, withoutMalformedObjects } from "./input-validation.ts";
import { revisionsOf } from "./revisions.ts";
import type { RevisionLimit } from "./limit.ts";
import { revisionLimits } from "./revision-limits.ts";
import { addActions, type PassResult, type RolloutOutcome, startPass } from "./pass.ts";
import {
  lookUp,
  pausedPass,
  refusalPass,
  rollbackPass,
  type RolloutKind,
  rolloutPass,
  scalePass,
  statusPass,
} from "./passes.ts";
import { recordPause } from "./status/conditions.ts";
import { rollbackTarget } from "./rollback.ts";
import { isScalingEvent } from "./scale.ts";
import { warnOfPolicy, warnOfRemovals, warnOfSpread } from "./input-validation.ts";
import type { RolloutState } from "./state.ts";

/** The kind of pass that a state requires. */
export type PassKind = RolloutKind | "scale" | "rollback" | "status" | "refusal" | "none";

/** The actions of one pass over a Deployment, and what limits each revision. */
export interface RolloutPlan {
  readonly kind: PassKind;
  /** In order; see `RolloutAction`. */
  readonly actions: readonly RolloutAction[];
  /** The status after the actions, which write it unless it is stored already. */
  readonly status: DeploymentStatus;
  readonly outcome: RolloutOutcome;
  /** When to plan again even if nothing changes. */
  readonly recheckAt?: Instant;
  /** What limits each revision after the actions. */
  readonly limits: readonly RevisionLimit[];
}

/**
 * Plans one pass over a Deployment. A function of the state alone: planned again from the state its actions lead to
 * (`applyToState`) it continues where it was, so a failed action is made good by the next pass.
 */
export function planRollout(state: RolloutState): RolloutPlan {
  const errors = Number.isFinite(state.now)
    ? deploymentFieldErrors(state.deployment)
    : [invalid("now", state.now, "must be an instant")];
  if (errors.length > 0) {
    const status = state.deployment?.status ?? {};
    return { kind: "none", actions: [], status, outcome: { kind: "invalid", errors }, limits: [] };
  }
  const { kind, ...ending } = choosePass(withCountedPods(withoutMalformedObjects(state)));
  return planFrom(kind, ending);
}

function choosePass(state: RolloutState): PassResult & { readonly kind: PassKind } {
  const { deployment } = state;
  const start = startPass(state);
  if (selectsEverything(deployment)) return { kind: "refusal", ...refusalPass(start) };
  if (isBeingDeleted(deployment)) return { kind: "status", ...statusPass(start) };
  const noted = addActions(start, [
    ...warnOfPolicy(state),
    ...warnOfSpread(state),
    ...warnOfRemovals(state),
    ...recordPause(state),
  ]);
  if (deployment.spec.paused === true) return { kind: "scale", ...pausedPass(noted) };
  const target = rollbackTarget(deployment);
  if (target !== undefined) return { kind: "rollback", ...rollbackPass(noted, target) };
  const found = lookUp(noted);
  return isScalingEvent(revisionsOf(found.state)) ? scalePass(found) : rolloutPass(found);
}

function planFrom(kind: PassKind, { pass, outcome, recheckAt }: PassResult): RolloutPlan {
  return {
    kind,
    actions: pass.actions,
    status: pass.state.deployment.status ?? {},
    outcome,
    ...(recheckAt === undefined ? {} : { recheckAt }),
    limits: revisionLimits(revisionsOf(pass.state)),
  };
}

function selectsEverything({ spec: { selector } }: Deployment): boolean {
  const { matchLabels, matchExpressions } = selector;
  return Object.keys(matchLabels ?? {}).length === 0 && (matchExpressions ?? []).length === 0;
}
