import type { LabelSelector } from "../../../api/generated/meta-v1.ts";
import { semanticEqual } from "../../../api/schema/semantic-equality.ts";
import { type FieldErrors, immutableField, none } from "../../../api/field-checks.ts";
import type { ObjectUpdate } from "./kind-strategy.ts";
import type { Sent } from "../../../api/sent.ts";

/** Validates that an update leaves `spec.selector` as it is. */
export function immutableSelector<T extends WithSelector>({ next, previous }: ObjectUpdate<T>): FieldErrors {
  const selector = next.spec?.selector;
  return semanticEqual("meta.v1.LabelSelector", selector, previous.spec?.selector)
    ? none
    : [immutableField("spec.selector", selector)];
}

interface WithSelector {
  readonly spec?: { readonly selector?: Sent<LabelSelector> };
}
