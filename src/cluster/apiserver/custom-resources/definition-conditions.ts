import type { CustomResourceDefinitionCondition } from "../../../api/generated/apiextensions-v1.ts";
import type { Sent } from "../../../api/sent.ts";
import { formatTime, type Instant } from "../../../api/time.ts";

export type ConditionType =
  | "NamesAccepted"
  | "Established"
  | "Terminating"
  | "KubernetesAPIApprovalPolicyConformant";

/** What a condition says. */
export interface ConditionValue {
  readonly type: ConditionType;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

type Conditions = readonly CustomResourceDefinitionCondition[];
interface WithConditions {
  readonly status?: { readonly conditions?: readonly Sent<CustomResourceDefinitionCondition>[] | null };
}

/** Reports whether a condition is true. */
export function isTrue({ status }: WithConditions, type: ConditionType): boolean {
  return (status?.conditions ?? []).some((each) => each.type === type && each.status === "True");
}

/** Reports whether objects of the definition can be used. */
export function isEstablished(definition: WithConditions): boolean {
  return isTrue(definition, "Established");
}

/** Returns the conditions with another value; its time changes with its status only. */
export function withCondition(conditions: Conditions, value: ConditionValue, now: Instant): Conditions {
  const index = conditions.findIndex(({ type }) => type === value.type);
  const before = conditions[index];
  const lastTransitionTime =
    before?.status === value.status ? (before.lastTransitionTime ?? formatTime(now)) : formatTime(now);
  const next = { ...value, lastTransitionTime };
  return before === undefined ? [...conditions, next] : conditions.with(index, next);
}
