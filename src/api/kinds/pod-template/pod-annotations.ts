import { deletionCostAnnotation, parseDeletionCost } from "../../deletion-cost.ts";
import { invalid } from "../../field-error.ts";
import { type FieldErrors, none } from "../field-checks.ts";
import type { StrategyContext } from "../kind-strategy.ts";

type Annotations = Readonly<Record<string, string>> | undefined;

/** Annotations of a Pod or of a template, and those they replace. */
export interface PodAnnotations {
  readonly annotations: Annotations;
  readonly stored: Annotations;
}

/** Validates the annotations that mean something on a Pod. A cost that was wrong before the gate came may stay. */
export function validatePodAnnotations(
  { annotations, stored }: PodAnnotations,
  path: string,
  { gates }: StrategyContext,
): FieldErrors {
  if (!gates.PodDeletionCost || isGoodCost(annotations) || !isGoodCost(stored)) return none;
  const cost = annotations?.[deletionCostAnnotation];
  return [invalid(`${path}[${deletionCostAnnotation}]`, cost, "must be a 32bit integer")];
}

function isGoodCost(annotations: Annotations): boolean {
  const cost = annotations?.[deletionCostAnnotation];
  return cost === undefined || parseDeletionCost(cost) !== undefined;
}
