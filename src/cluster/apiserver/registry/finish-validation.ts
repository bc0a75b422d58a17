import type { FieldError } from "../../../api/field-error.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import { runInSteps } from "../../../machinery/clock/run-in-steps.ts";
import type { ValidationFindings } from "../kinds/kind-strategy.ts";
import type { ServedResource } from "../served-resource.ts";
import type { ServerContext } from "../server-context.ts";
import { invalidObject } from "../status-errors.ts";
import type { Writable } from "./next-version.ts";
import { metadataOf } from "./object-meta.ts";

/** A validated object, and the errors that were found so far. */
export interface Validated {
  readonly next: JsonObject;
  readonly previous?: JsonObject | undefined;
  /** What an update writes. */
  readonly writable?: Writable;
  readonly errors: readonly FieldError[];
  /** Warnings that a refusal carries too. */
  readonly warnings?: readonly string[];
}

const nothing: ValidationFindings = { errors: [], warnings: [] };

/**
 * Finishes the validation of an object by the rules of its kind, and returns their warnings; throws 422 with all errors.
 * It is a promise if the rules took so long that other requests came in between.
 */
export function finishValidation(
  { clock }: Pick<ServerContext, "clock">,
  resource: ServedResource,
  validated: Validated,
): readonly string[] | Promise<readonly string[]> {
  const { next, previous, writable, errors } = validated;
  const change = { next, previous, isOfStatus: writable === "status" };
  const steps = resource.strategy.validateFurther?.(change, errors);
  const found = steps === undefined ? nothing : runNow(steps, clock);
  return found instanceof Promise
    ? found.then((findings) => accepted(resource, validated, findings))
    : accepted(resource, validated, found);
}

/** Returns the result of a computation, or a promise of it when a pause was due. */
function runNow<T>(steps: Generator<undefined, T>, clock: Clock): T | Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const turn = clock.yieldToEventLoop?.();
    if (turn !== undefined) return turn.then(() => runInSteps(steps as Generator<void, T, void>, clock));
  }
}

function accepted(
  resource: ServedResource,
  { next, previous, errors, warnings = [] }: Validated,
  further: ValidationFindings,
): readonly string[] {
  const all = [...errors, ...further.errors];
  if (all.length === 0) return further.warnings;
  const error = invalidObject(resource, metadataOf(previous ?? next).name ?? "", all);
  throw error.withWarnings(warnings);
}
