import { forbidden, required } from "../../../../api/field-error.ts";
import type { TopologySelectorLabelRequirement } from "../../../../api/generated/core-v1.ts";
import type { StorageClass } from "../../../../api/generated/storage-v1.ts";
import { deepEqual } from "../../../../api/deep-equal.ts";
import { fillAbsent } from "../../../../api/defaulting.ts";
import {
  each,
  type FieldErrors,
  immutable,
  none,
  requiredText,
  supported,
} from "../../../../api/field-checks.ts";
import { qualifiedNameProblems } from "../../../../api/labels/label-syntax.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";

/** The strategy of StorageClasses. */
export const storageClassStrategy: KindStrategy<Sent<StorageClass>> = {
  defaults(object) {
    return fillAbsent(object, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" });
  },
  validate({ provisioner, reclaimPolicy, volumeBindingMode, parameters = {}, allowedTopologies }) {
    return [
      ...requiredText(provisioner, "provisioner"),
      ...(Object.hasOwn(parameters, "") ? [emptyParameter] : none),
      ...supported(reclaimPolicy, "reclaimPolicy", ["Delete", "Retain"]),
      ...supported(volumeBindingMode, "volumeBindingMode", ["Immediate", "WaitForFirstConsumer"]),
      ...each(allowedTopologies, "allowedTopologies", ({ matchLabelExpressions }, path) =>
        each(matchLabelExpressions, `${path}.matchLabelExpressions`, validateTopology),
      ),
    ];
  },
  validateUpdate: ({ next, previous }) => [
    ...(deepEqual(next.parameters ?? {}, previous.parameters ?? {}) ? none : [changed("parameters")]),
    ...(next.provisioner === previous.provisioner ? none : [changed("provisioner")]),
    ...(next.reclaimPolicy === previous.reclaimPolicy ? none : [changed("reclaimPolicy")]),
    ...immutable(next.volumeBindingMode, previous.volumeBindingMode, "volumeBindingMode"),
  ],
  unconditionalUpdate: true,
  returnsObjectOnDelete: true,
};

const emptyParameter = forbidden("parameters", "field can not be empty.");

function changed(field: string) {
  return forbidden(field, `updates to ${field} are forbidden.`);
}

function validateTopology(
  { key, values = [] }: Sent<TopologySelectorLabelRequirement>,
  path: string,
): FieldErrors {
  return [
    ...requiredText(key, `${path}.key`, qualifiedNameProblems),
    ...(values.length === 0 ? [required(`${path}.values`)] : none),
  ];
}
