import type { ObjectMeta } from "../../../../api/generated/meta-v1.ts";
import { dns1123SubdomainProblems } from "../../../../api/names.ts";
import type { KindStrategy, ObjectUpdate } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";
import { mergeOwnerReferences } from "./owner-references.ts";
import { validateObjectMeta, validateObjectMetaUpdate } from "./validate-object-meta.ts";

interface Named {
  readonly metadata?: Sent<ObjectMeta>;
}

/** Returns the strategy of a kind, extended by the rules for metadata that all kinds share. */
export function withObjectMeta<T extends Named>(strategy: KindStrategy<T>): KindStrategy<T> {
  const { nameProblems = dns1123SubdomainProblems } = strategy;
  return {
    ...strategy,
    prepareForCreate(object, context) {
      return mergeOwners(strategy.prepareForCreate?.(object, context) ?? object);
    },
    prepareForUpdate(update, context) {
      return mergeOwners(strategy.prepareForUpdate?.(update, context) ?? update.next);
    },
    validate(object, context, stored) {
      const errors = strategy.validate?.(object, context, stored) ?? [];
      return [...validateObjectMeta(object.metadata ?? {}, nameProblems, stored?.metadata), ...errors];
    },
    validateUpdate(update, context) {
      return [...validateMetaUpdate(update), ...(strategy.validateUpdate?.(update, context) ?? [])];
    },
    validateStatusUpdate(update, context) {
      const errors = strategy.validateStatusUpdate?.(update, context) ?? [];
      return [
        ...validateObjectMeta(update.next.metadata ?? {}, nameProblems, update.previous.metadata),
        ...validateMetaUpdate(update),
        ...errors,
      ];
    },
  };
}

function validateMetaUpdate({
  next,
  previous,
}: ObjectUpdate<Named>): ReturnType<typeof validateObjectMetaUpdate> {
  return validateObjectMetaUpdate({ next: next.metadata ?? {}, previous: previous.metadata ?? {} });
}

function mergeOwners<T extends Named>(object: T): T {
  const { merged, repeated } = mergeOwnerReferences(object.metadata?.ownerReferences ?? []);
  if (repeated.length === 0) return object;
  return { ...object, metadata: { ...object.metadata, ownerReferences: merged } };
}
