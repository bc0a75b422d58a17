import { forbidden, invalid, required, tooLong } from "../../../../api/field-error.ts";
import type { ObjectMeta } from "../../../../api/generated/meta-v1.ts";
import { qualifiedNameProblems, validateLabels } from "../../../../api/labels/label-syntax.ts";
import { dns1123LabelProblems, generateNameProblems, type NameCheck } from "../../../../api/names.ts";
import { byteLength } from "../../../../api/value-syntax.ts";
import { type FieldErrors, immutable, none, nonNegative, wellFormed } from "../../../../api/field-checks.ts";
import type { ObjectUpdate } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";
import { validateOwnerReferences } from "./owner-references.ts";

/**
 * Validates the metadata of an object; a name from `generateName` has already been generated. Parts that it shares with
 * the stored version by reference are valid.
 */
export function validateObjectMeta(
  meta: Sent<ObjectMeta>,
  nameProblems: NameCheck,
  stored: Sent<ObjectMeta> = {},
): FieldErrors {
  const { labels, annotations, ownerReferences: owners, finalizers } = meta;
  return [
    ...validateNames(meta, nameProblems),
    ...wellFormed(meta.namespace, "metadata.namespace", dns1123LabelProblems),
    ...nonNegative(meta.generation, "metadata.generation"),
    ...(labels === stored.labels ? none : validateLabels(labels, "metadata.labels")),
    ...(annotations === stored.annotations ? none : validateAnnotations(annotations, "metadata.annotations")),
    ...(owners === stored.ownerReferences
      ? none
      : validateOwnerReferences(owners, "metadata.ownerReferences")),
    ...(finalizers === stored.finalizers ? none : validateFinalizers(finalizers, "metadata.finalizers")),
  ];
}

function validateNames({ name, generateName }: Sent<ObjectMeta>, nameProblems: NameCheck): FieldErrors {
  const prefix = wellFormed(generateName, "metadata.generateName", (text) =>
    generateNameProblems(text, nameProblems),
  );
  return [...prefix, ...validateName(name, nameProblems)];
}

function validateName(name: string | undefined, nameProblems: NameCheck): FieldErrors {
  if (name === undefined || name === "")
    return [required("metadata.name", "name or generateName is required")];
  const problems = nameProblems(name);
  return problems.length === 0 ? none : problems.map((problem) => invalid("metadata.name", name, problem));
}

/** Validates the changes of an update to metadata; the new metadata itself is validated like that of a new object. */
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

const maxTotalBytes = 256 * 1024;

/** Validates annotations: keys are qualified names in either case, and the total size is at most 256 KiB. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  path: string,
): FieldErrors {
  if (annotations === undefined) return none;
  const entries = Object.entries(annotations);
  const syntax = entries.flatMap(([key]) =>
    qualifiedNameProblems(key.toLowerCase()).map((problem) => invalid(path, key, problem)),
  );
  const bytes = entries.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  return bytes > maxTotalBytes ? [...syntax, tooLong(path, maxTotalBytes)] : syntax;
}

/** Validates finalizer names, and that `orphan` and `foregroundDeletion` are not both set. */
function validateFinalizers(finalizers: readonly string[] | undefined, path: string): FieldErrors {
  if (finalizers === undefined) return none;
  const syntax = [
    ...finalizers.flatMap((finalizer) =>
      qualifiedNameProblems(finalizer).map((problem) => invalid(path, finalizer, problem)),
    ),
    ...validateQualifiedFinalizers(finalizers, path),
  ];
  const contradicting = finalizers.includes("orphan") && finalizers.includes("foregroundDeletion");
  return contradicting
    ? [...syntax, invalid(path, finalizers, "finalizer orphan and foregroundDeletion cannot be both set")]
    : syntax;
}

const standardFinalizers: ReadonlySet<string> = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

/** The error about a finalizer without a domain; custom kinds accept such finalizers. */
export const unqualifiedFinalizer = "name is neither a standard finalizer name nor is it fully qualified";

/** Validates that finalizers are those of Kubernetes, or have the prefix of a domain. */
export function validateQualifiedFinalizers(finalizers: readonly string[], path: string): FieldErrors {
  return finalizers.flatMap((finalizer, index) =>
    finalizer.includes("/") || standardFinalizers.has(finalizer)
      ? none
      : [invalid(`${path}[${index}]`, finalizer, unqualifiedFinalizer)],
  );
}

/** Validates that no finalizers are added to an object that is being deleted. */
function validateNoNewFinalizers(
  next: readonly string[] | undefined,
  previous: readonly string[] | undefined,
  path: string,
): FieldErrors {
  const known = new Set(previous);
  const added = [...new Set(next)].filter((finalizer) => !known.has(finalizer)).sort();
  if (added.length === 0) return none;
  const listed = added.map((finalizer) => JSON.stringify(finalizer)).join(", ");
  const rule = "no new finalizers can be added if the object is being deleted";
  return [forbidden(path, `${rule}, found new finalizers []string{${listed}}`)];
}
