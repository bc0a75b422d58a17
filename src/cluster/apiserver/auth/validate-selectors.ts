import { type FieldError, invalid, required } from "../../../api/field-error.ts";
import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  SubjectAccessReviewSpec,
} from "../../../api/generated/authorization-v1.ts";
import type { FieldSelectorRequirement } from "../../../api/generated/meta-v1.ts";
import type { Sent } from "../../../api/sent.ts";
import { validateLabelRequirement, validateOperator } from "../../../api/labels/compile-label-selector.ts";

/** Validates the selectors of the objects that an access review asks about. */
export function validateSelectors({
  resourceAttributes = {},
}: Sent<SubjectAccessReviewSpec>): readonly FieldError[] {
  const { fieldSelector, labelSelector } = resourceAttributes;
  const path = "spec.resourceAttributes";
  return [
    ...validateSelector(fieldSelector, `${path}.fieldSelector`, validateFieldRequirement),
    ...validateSelector(labelSelector, `${path}.labelSelector`, (requirement, at) =>
      validateLabelRequirement({ key: "", operator: "", ...requirement }, at),
    ),
  ];
}

type Requirement = Sent<FieldSelectorRequirement>;

/**
 * Validates a selector. An unknown operator is no error, because clients may know operators that this server does not.
 */
function validateSelector(
  selector: Sent<FieldSelectorAttributes | LabelSelectorAttributes> | undefined,
  path: string,
  validate: (requirement: Requirement, path: string) => readonly FieldError[],
): readonly FieldError[] {
  if (selector === undefined) return [];
  const { rawSelector = "", requirements = [] } = selector;
  const [isRaw, isParsed] = [rawSelector !== "", requirements.length > 0];
  const needed = `when ${path} is specified, requirements or rawSelector is required`;
  return [
    ...(isRaw && isParsed
      ? [invalid(`${path}.rawSelector`, rawSelector, "may not specified at the same time as requirements")]
      : []),
    ...(isRaw || isParsed ? [] : [required(`${path}.requirements`, needed)]),
    ...requirements.flatMap((requirement, index) => {
      const at = `${path}.requirements[${index}]`;
      return validate(requirement, at).filter(({ field }) => field !== `${at}.operator`);
    }),
  ];
}

function validateFieldRequirement(
  { key = "", operator = "", values = [] }: Requirement,
  path: string,
): readonly FieldError[] {
  return [
    ...(key === "" ? [required(`${path}.key`, "must be specified")] : []),
    ...validateOperator(operator, values.length, path),
  ];
}
