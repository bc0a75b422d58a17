import type { FieldError } from "../../api/field-error.ts";
import type { Instant } from "../../api/time.ts";
import { applyToState, type RolloutAction } from "./action.ts";
import type { Limit, TerminatingUnknown } from "./limit.ts";
import type { RolloutState } from "./state.ts";

/** A pass in progress: its actions so far, and the state they lead to. */
export interface Pass {
  readonly state: RolloutState;
  readonly actions: readonly RolloutAction[];
}

/** A pass without actions. */
export function startPass(state: RolloutState): Pass {
  return { state, actions: [] };
}

/** The pass with further actions; what is decided next sees their results. */
export function addActions(pass: Pass, actions: readonly RolloutAction[]): Pass {
  if (actions.length === 0) return pass;
  return { state: actions.reduce(applyToState, pass.state), actions: [...pass.actions, ...actions] };
}

/** The result of one stage of a pass: actions and what keeps the stage from more, or why nothing can be decided yet. */
export type StageResult =
  | { readonly kind: "proceed"; readonly actions: readonly RolloutAction[]; readonly limitedBy?: Limit }
  | { readonly kind: "wait"; readonly limitedBy: TerminatingUnknown };

/** The result of a stage that could decide, perhaps to do nothing. */
export function proceed(actions: readonly RolloutAction[] = [], limitedBy?: Limit): StageResult {
  return { kind: "proceed", actions, ...(limitedBy === undefined ? {} : { limitedBy }) };
}

/** The result of a stage that needs the number of terminating Pods, which some ReplicaSet does not report. */
export function wait(limitedBy: TerminatingUnknown): StageResult {
  return { kind: "wait", limitedBy };
}

/** How a pass ends. */
export type RolloutOutcome =
  | { readonly kind: "done" }
  /** A number is not known yet: plan again with backoff. The actions before it are carried out. */
  | { readonly kind: "retry"; readonly because: TerminatingUnknown }
  /** The Deployment is malformed: there are no actions until it changes. */
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] };

/** A finished pass. */
export interface PassResult {
  readonly pass: Pass;
  readonly outcome: RolloutOutcome;
  /** When to plan again even if nothing changes. */
  readonly recheckAt?: Instant;
}

/** A pass that could decide everything. */
export function ended(pass: Pass, recheckAt?: Instant): PassResult {
  return { pass, outcome: { kind: "done" }, ...(recheckAt === undefined ? {} : { recheckAt }) };
}

/** A pass that could not decide. */
export function retry(pass: Pass, because: TerminatingUnknown): PassResult {
  return { pass, outcome: { kind: "retry", because } };
}
