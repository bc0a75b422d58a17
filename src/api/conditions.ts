/** What all condition types of the API have in common. */
interface Condition {
  readonly type: string;
  readonly status: string;
}

/** Returns the first condition of a type, if there is one; a value that is not a list has none. */
export function findCondition<C extends Condition>(
  conditions: readonly C[] | null | undefined,
  type: string,
): C | undefined {
  if (!Array.isArray(conditions)) return undefined;
  // A loop, because `find` would allocate a closure for each of thousands of Pods.
  for (const condition of conditions as readonly (C | null)[]) if (condition?.type === type) return condition;
  return undefined;
}

/** Whether a condition is present and `True`. */
export function isConditionTrue(conditions: readonly Condition[] | null | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === "True";
}

/** The list without conditions of a type. */
export function withoutCondition<C extends Condition>(
  conditions: readonly C[] | null | undefined,
  type: string,
): readonly C[] {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}

/** Whether the last call of a workload's pod picker was answered: a condition of ReplicaSets and Deployments. */
export const pickerHealthyCondition = "DownscalePodPickerHealthy";

/** Whether Pods are kept beyond the size of a ReplicaSet because they are protected: a condition of ReplicaSets. */
export const removalHeldCondition = "RemovalHeld";
