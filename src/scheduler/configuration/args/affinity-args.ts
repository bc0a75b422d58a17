import { type FieldError, invalid } from "../../../api/field-error.ts";
import { validateNodeAffinity } from "../../../api/kinds/pod-spec/validation/affinity.ts";
import type { NodeAffinityArgs } from "../../../decisions/placement/node-affinity/plugin.ts";
import type { DocumentShape } from "../document-shape.ts";

/** How Pods that are there already pull at a new one. */
export interface InterPodAffinityArgs {
  /** Of what existing Pods require, where the new one would satisfy it. */
  readonly hardPodAffinityWeight: number;
  readonly ignorePreferredTermsOfExistingPods: boolean;
}

export const nodeAffinityArgsShape: DocumentShape = { members: { addedAffinity: "core.v1.NodeAffinity" } };

export const interPodAffinityArgsShape: DocumentShape = {
  members: { hardPodAffinityWeight: "int32", ignorePreferredTermsOfExistingPods: "bool" },
};

/** Fills in what was left out. */
export function defaultInterPodAffinityArgs(args: Partial<InterPodAffinityArgs>): InterPodAffinityArgs {
  return { hardPodAffinityWeight: 1, ignorePreferredTermsOfExistingPods: false, ...args };
}

/** Looks at the arguments of NodeAffinity. */
export function validateNodeAffinityArgs(
  { addedAffinity }: NodeAffinityArgs,
  path: string,
): readonly FieldError[] {
  return addedAffinity === undefined ? [] : validateNodeAffinity(addedAffinity, `${path}.addedAffinity`);
}

/** Looks at the arguments of InterPodAffinity. */
export function validateInterPodAffinityArgs(
  args: Partial<InterPodAffinityArgs>,
  path: string,
): readonly FieldError[] {
  const { hardPodAffinityWeight: weight } = defaultInterPodAffinityArgs(args);
  return weight >= 0 && weight <= 100
    ? []
    : [invalid(`${path}.hardPodAffinityWeight`, weight, "not in valid range [0, 100]")];
}
