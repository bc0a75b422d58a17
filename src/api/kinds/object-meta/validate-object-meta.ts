import { invalid, required } from "../../field-error.ts";
import type { ObjectMeta } from "../../generated/meta-v1.ts";
import { validateLabels } from "../../labels/label-syntax.ts";
import { dns1123LabelProblems, generateNameProblems, type NameCheck } from "../../names.ts";
import { type FieldErrors, none, nonNegative, wellFormed } from "../field-checks.ts";
import type { Sent } from "../sent.ts";
import { validateAnnotations } from "./annotations.ts";
import { validateFinalizers } from "./finalizers.ts";
import { validateOwnerReferences } from "./owner-references.ts";

/** Validates the metadata of an object, whose name has already been generated where it has to be. */
export function validateObjectMeta(meta: Sent<ObjectMeta>, nameProblems: NameCheck): FieldErrors {
  return [
    ...validateNames(meta, nameProblems),
    ...wellFormed(meta.namespace, "metadata.namespace", dns1123LabelProblems),
    ...nonNegative(meta.generation, "metadata.generation"),
    ...validateLabels(meta.labels, "metadata.labels"),
    ...validateAnnotations(meta.annotations, "metadata.annotations"),
    ...validateOwnerReferences(meta.ownerReferences, "metadata.ownerReferences"),
    ...validateFinalizers(meta.finalizers, "metadata.finalizers"),
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
