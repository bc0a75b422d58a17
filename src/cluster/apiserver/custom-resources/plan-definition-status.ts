import { deepEqual } from "../../../api/deep-equal.ts";
import type { CustomResourceDefinition } from "../../../api/generated/apiextensions-v1.ts";
import type { Instant } from "../../../api/time.ts";
import { approvalOf, approvalText } from "../kinds/custom-resource-definition/validate-approval.ts";
import { acceptNames } from "./accept-names.ts";
import { type ConditionValue, isEstablished, isTrue, withCondition } from "./definition-conditions.ts";

/** The next write of a definition's status; `undefined` if it is as it should be. */
export type PlannedStatus = CustomResourceDefinition["status"] | undefined;

const accepted = "the initial names have been accepted";
const notAccepted: ConditionValue = {
  type: "Established",
  status: "False",
  reason: "NotAccepted",
  message: "not all names are accepted",
};
const installing: ConditionValue = { ...notAccepted, reason: "Installing", message: accepted };
const established: ConditionValue = {
  type: "Established",
  status: "True",
  reason: "InitialNamesAccepted",
  message: accepted,
};

/** What a status is planned from. */
export interface StatusInput {
  readonly definition: CustomResourceDefinition;
  /** The other definitions of its group. */
  readonly others: readonly CustomResourceDefinition[];
  readonly now: Instant;
}

/**
 * Plans the status of a definition: first which names it has, then that it is established, which it stays whatever
 * becomes of its names.
 */
export function planDefinitionStatus({ definition, others, now }: StatusInput): PlannedStatus {
  const status: NonNullable<PlannedStatus> = definition.status ?? {};
  const { acceptedNames, condition } = acceptNames(definition, others);
  const values = [condition, ...establishing(definition, condition), ...approving(definition)];
  const before = status.conditions ?? [];
  const conditions = values.reduce<typeof before>((list, value) => withCondition(list, value, now), before);
  const next = { ...status, acceptedNames, conditions };
  if (!deepEqual(next, status)) return next;
  if (isEstablished(definition) || !isTrue(definition, "NamesAccepted")) return undefined;
  return { ...next, conditions: withCondition(next.conditions, established, now) };
}

function establishing(
  definition: CustomResourceDefinition,
  names: ConditionValue,
): readonly ConditionValue[] {
  if (isEstablished(definition)) return [];
  if (names.status === "True") return [installing];
  const hasOne = (definition.status?.conditions ?? []).some(({ type }) => type === "Established");
  return hasOne ? [] : [notAccepted];
}

function approving(definition: CustomResourceDefinition): readonly ConditionValue[] {
  const type = "KubernetesAPIApprovalPolicyConformant";
  const text = approvalText(definition);
  switch (approvalOf(definition)) {
    case undefined:
      return [];
    case "approved":
      return [{ type, status: "True", reason: "ApprovedAnnotation", message: `approved in ${text}` }];
    case "unapproved":
      return [
        {
          type,
          status: "False",
          reason: "UnapprovedAnnotation",
          message: `not approved: ${JSON.stringify(text)}`,
        },
      ];
    case "missing":
      return [
        {
          type,
          status: "False",
          reason: "MissingAnnotation",
          message:
            'protected groups must have approval annotation "api-approved.kubernetes.io", see ' +
            "https://github.com/kubernetes/enhancements/pull/1111",
        },
      ];
    case "invalid":
      return [
        {
          type,
          status: "False",
          reason: "InvalidAnnotation",
          message:
            'protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a ' +
            'reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111',
        },
      ];
  }
}
