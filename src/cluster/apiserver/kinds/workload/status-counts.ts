import { invalid } from "../../../../api/field-error.ts";
import { withMember } from "../../../../api/defaulting.ts";
import { type FieldErrors, none, nonNegative } from "../../../../api/field-checks.ts";
import type { ObjectUpdate, StrategyContext } from "../kind-strategy.ts";

type Counts = Readonly<Record<string, unknown>>;

/** The counters in the status of a workload. */
export interface CountRules {
  /** The counters, which may not be negative. */
  readonly counts: readonly string[];
  /** The counters that may not exceed `replicas`. */
  readonly atMostReplicas: readonly string[];
}

/** Validates the counters in a status: none negative, none above `replicas`, not more available than ready. */
export function validateStatusCounts(status: object, { counts, atMostReplicas }: CountRules): FieldErrors {
  const numbers: Counts = { ...status };
  const replicas = countOf(numbers, "replicas");
  const parts = atMostReplicas
    .filter((part) => countOf(numbers, part) > replicas)
    .map((part) =>
      invalid(`status.${part}`, countOf(numbers, part), "cannot be greater than status.replicas"),
    );
  const available = countOf(numbers, "availableReplicas");
  const unready = available > countOf(numbers, "readyReplicas");
  return [
    ...counts.flatMap((count) => nonNegative(countOf(numbers, count), `status.${count}`)),
    ...parts,
    ...(unready
      ? [invalid("status.availableReplicas", available, "cannot be greater than readyReplicas")]
      : none),
  ];
}

function countOf(numbers: Counts, name: string): number {
  const count = numbers[name];
  return typeof count === "number" ? count : 0;
}

interface WithCollisions {
  readonly status?: { readonly collisionCount?: number };
}

/** Validates that `collisionCount` does not decrease: the next name depends on it. */
export function validateCollisionCount({ next, previous }: ObjectUpdate<WithCollisions>): FieldErrors {
  const before = previous.status?.collisionCount;
  const after = next.status?.collisionCount;
  if (before === undefined || (after !== undefined && after >= before)) return none;
  return [invalid("status.collisionCount", after ?? 0, "cannot be decremented")];
}

interface WithTerminating {
  readonly terminatingReplicas?: number;
}

/**
 * Returns a status without its count of terminating Pods while the gate is off, unless the stored one has a count
 * already.
 */
export function gateTerminatingReplicas<T extends WithTerminating>(
  status: T,
  stored: WithTerminating | undefined,
  { gates }: StrategyContext,
): T {
  if (gates.DeploymentReplicaSetTerminatingReplicas || stored?.terminatingReplicas !== undefined)
    return status;
  return status.terminatingReplicas === undefined
    ? status
    : withMember(status, "terminatingReplicas", undefined);
}
