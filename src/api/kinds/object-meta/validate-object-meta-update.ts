import type { ObjectMeta } from "../../generated/meta-v1.ts";
import { type FieldErrors, immutable, none } from "../field-checks.ts";
import type { ObjectUpdate } from "../kind-strategy.ts";
import type { Sent } from "../sent.ts";
import { validateNoNewFinalizers } from "./finalizers.ts";

/** What an update may not do to metadata; the new metadata itself is validated like that of a new object. */
export function validateObjectMetaUpdate({ next, previous }: ObjectUpdate<Sent<ObjectMeta>>): FieldErrors {
  const added =
    previous.deletionTimestamp === undefined
      ? none
      : validateNoNewFinalizers(next.finalizers, previous.finalizers, "metadata.finalizers");
  return [
    ...added,
    ...immutable(next.name ?? "", previous.name ?? "", "metadata.name"),
    ...immutable(next.namespace ?? "", previous.namespace ?? "", "metadata.namespace"),
    ...immutable(next.uid ?? "", previous.uid ?? "", "metadata.uid"),
    ...immutable(next.creationTimestamp, previous.creationTimestamp, "metadata.creationTimestamp"),
    ...immutable(next.deletionTimestamp, previous.deletionTimestamp, "metadata.deletionTimestamp"),
    ...immutable(
      next.deletionGracePeriodSeconds,
      previous.deletionGracePeriodSeconds,
      "metadata.deletionGracePeriodSeconds",
    ),
  ];
}
