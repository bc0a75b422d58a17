import type { FieldError } from "../../api/field-error.ts";
import type { Instant } from "../../api/time.ts";
import type { Pass } from "./pass.ts";
import type { TerminatingUnknown } from "./stage-result.ts";

/** How a pass ends. */
export type RolloutOutcome =
  | { readonly kind: "done" }
  /** Something is not known yet: try again, less and less often. What was to be done before still is. */
  | { readonly kind: "retry"; readonly because: TerminatingUnknown }
  /** The Deployment cannot be understood: nothing is done until it changes. */
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] };

/** A pass that has come to its end. */
export interface PassResult {
  readonly pass: Pass;
  readonly outcome: RolloutOutcome;
  /** When to look again even if nothing happens. */
  readonly recheckAt?: Instant;
}

/** A pass that did what it could. */
export function done(pass: Pass, recheckAt?: Instant): PassResult {
  return { pass, outcome: { kind: "done" }, ...(recheckAt === undefined ? {} : { recheckAt }) };
}

/** A pass that could not decide. */
export function retry(pass: Pass, because: TerminatingUnknown): PassResult {
  return { pass, outcome: { kind: "retry", because } };
}
