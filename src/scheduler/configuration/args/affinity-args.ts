import { type FieldError, invalid } from "../../../api/field-error.ts";
import { validateNodeAffinity } from "../../../api/kinds/pod-spec/validation/affinity.ts";
import type { InterPodAffinityArgs } from "../../../decisions/placement/inter-pod-affinity/score.ts";
import type { NodeAffinityArgs } from "../../../decisions/placement/node-affinity/plugin.ts";
import type { DocumentShape } from "../document-shape.ts";

export const nodeAffinityArgsShape: DocumentShape = { members: { addedAffinity: "core.v1.NodeAffinity" } };

export const interPodAffinityArgsShape: DocumentShape = {
  members: { hardPodAffinityWeight: "int32", ignorePreferredTermsOfExistingPods: "bool" },
};

/** Looks at the arguments of NodeAffinity. */
export function validateNodeAffinityArgs(
  { addedAffinity }: NodeAffinityArgs,
  path: string,
): readonly FieldError[] {
  return addedAffinity === undefined ? [] : validateNodeAffinity(addedAffinity, `${path}.addedAffinity`);
}

/** Looks at the arguments of InterPodAffinity. */
export function validateInterPodAffinityArgs(
  { hardPodAffinityWeight: weight = 1 }: InterPodAffinityArgs,
  path: string,
): readonly FieldError[] {
  return weight >= 0 && weight <= 100
    ? []
    : [invalid(`${path}.hardPodAffinityWeight`, weight, "not in valid range [0, 100]")];
}
