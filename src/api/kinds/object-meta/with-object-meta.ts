import type { ObjectMeta } from "../../generated/meta-v1.ts";
import { dns1123SubdomainProblems } from "../../names.ts";
import type { Kind } from "../kind.ts";
import type { ObjectUpdate, KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../sent.ts";
import { mergeOwnerReferences } from "./owner-references.ts";
import { validateObjectMeta } from "./validate-object-meta.ts";
import { validateObjectMetaUpdate } from "./validate-object-meta-update.ts";

interface Named {
  readonly metadata?: Sent<ObjectMeta>;
}

/** The manners of a kind together with those that all kinds share: the rules of metadata. */
export function withObjectMeta<T extends Named>(kind: Kind<T>): KindStrategy<T> {
  const { names = dns1123SubdomainProblems, ...manners } = kind;
  return {
    ...manners,
    prepareForCreate(object, occasion) {
      return mergeOwners(kind.prepareForCreate?.(object, occasion) ?? object);
    },
    prepareForUpdate(change, occasion) {
      return mergeOwners(kind.prepareForUpdate?.(change, occasion) ?? change.next);
    },
    validate(object, occasion, stored) {
      const errors = kind.validate?.(object, occasion, stored) ?? [];
      return [...validateObjectMeta(object.metadata ?? {}, names), ...errors];
    },
    validateUpdate(change, occasion) {
      return [...validateMetaChange(change), ...(kind.validateUpdate?.(change, occasion) ?? [])];
    },
    validateStatusUpdate(change, occasion) {
      const errors = kind.validateStatusUpdate?.(change, occasion) ?? [];
      return [
        ...validateObjectMeta(change.next.metadata ?? {}, names),
        ...validateMetaChange(change),
        ...errors,
      ];
    },
  };
}

function validateMetaChange({
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
