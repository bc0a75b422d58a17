import { deepEqual } from "../../../../api/deep-equal.ts";
import { type FieldError, invalid } from "../../../../api/field-error.ts";
import type { FieldErrors } from "../../../../api/field-checks.ts";
import type { JsonObject } from "../../../../api/json.ts";
import { compileRules } from "../../custom-resources/rules/compile-rules.ts";
import { readStructuralSchema } from "../../custom-resources/structural/read-structural-schema.ts";
import type { StructuralSchema } from "../../custom-resources/structural/structural-schema.ts";
import { validateStructuralSchema } from "../../custom-resources/structural/validate-structural-schema.ts";
import type { SentDefinition } from "./strategy.ts";
import {
  type SentVersion,
  validateColumns,
  validateSelectableFields,
  validateSubresources,
} from "./validate-version.ts";

/** A part of versions that is reported once if it is the same in all of them. */
interface Part {
  readonly of: (version: SentVersion) => unknown;
  /** Its path if all versions have the same, below `spec`. */
  readonly shared: string;
  /** Its path below a version. */
  readonly own: string;
  readonly validate: (version: SentVersion, path: string, stored: SentVersion | undefined) => FieldErrors;
}

const parts: readonly Part[] = [
  {
    of: ({ schema }) => schema?.openAPIV3Schema,
    shared: "validation.openAPIV3Schema",
    own: "schema.openAPIV3Schema",
    validate: validateSchema,
  },
  {
    of: ({ subresources }) => subresources,
    shared: "subresources",
    own: "subresources",
    validate: ({ subresources }, path) => validateSubresources(subresources ?? {}, path),
  },
  {
    of: ({ additionalPrinterColumns }) => additionalPrinterColumns,
    shared: "additionalPrinterColumns",
    own: "additionalPrinterColumns",
    validate: ({ additionalPrinterColumns }, path) => validateColumns(additionalPrinterColumns, path),
  },
  {
    of: ({ selectableFields }) => selectableFields,
    shared: "selectableFields",
    own: "selectableFields",
    validate: (version, path) => validateSelectableFields(version.selectableFields, schemaOf(version), path),
  },
];

/**
 * Validates what versions share or declare themselves: schemas, subresources, columns and selectable fields.
 * upstream: a part that is the same in all versions is reported where older versions of the API had it.
 */
export function validateVersionParts({ spec }: SentDefinition, stored?: SentDefinition): FieldErrors {
  const versions = spec?.versions ?? [];
  const before = new Map((stored?.spec?.versions ?? []).map((version) => [version.name, version]));
  return parts.flatMap(({ of, shared, own, validate }) => {
    const [first, ...others] = versions;
    if (first === undefined) return [];
    if (others.every((version) => deepEqual(of(version), of(first))))
      return validate(first, `spec.${shared}`, before.get(first.name));
    return versions.flatMap((version, index) =>
      validate(version, `spec.versions[${index}].${own}`, before.get(version.name)),
    );
  });
}

function schemaOf({ schema }: SentVersion): StructuralSchema {
  // The decoder has checked that it is JSON of this type.
  return readStructuralSchema(schema?.openAPIV3Schema as JsonObject | undefined);
}

function validateSchema(version: SentVersion, path: string, stored: SentVersion | undefined): FieldErrors {
  if (version.schema?.openAPIV3Schema === undefined) return [];
  const schema = schemaOf(version);
  const before = stored && schemaOf(stored);
  const isUnchanged = before !== undefined && deepEqual(before.source, schema.source);
  const errors = isUnchanged ? [] : structuralErrors(schema, path, before);
  const root = version.subresources?.status === undefined ? [] : validateRoot(schema, path);
  const all = [...root, ...errors];
  return all.length > 0 ? all : compileRules({ schema, path, limitsCost: !isUnchanged }).errors;
}

/** upstream: an old schema that was not structural need not become so. */
function structuralErrors(
  schema: StructuralSchema,
  path: string,
  before: StructuralSchema | undefined,
): FieldErrors {
  const errors = validateStructuralSchema(schema, path);
  const wasInvalid =
    errors.length > 0 && before !== undefined && validateStructuralSchema(before, path).length > 0;
  return wasInvalid ? [] : errors;
}

/** The keywords that may be at the root if `status` is a subresource, in the words of upstream's message. */
const rootKeywords: readonly string[] = [
  "Description",
  "Type",
  "Format",
  "Title",
  "Maximum",
  "ExclusiveMaximum",
  "Minimum",
  "ExclusiveMinimum",
  "MaxLength",
  "MinLength",
  "Pattern",
  "MaxItems",
  "MinItems",
  "UniqueItems",
  "MultipleOf",
  "Required",
  "Items",
  "Properties",
  "ExternalDocs",
  "Example",
  "XPreserveUnknownFields",
  "XValidations",
];

const allowedAtRoot: ReadonlySet<string> = new Set([
  ...rootKeywords.map((name) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`),
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-validations",
]);

/** upstream: the schema of the status is validated by itself, so the root must not say anything about it. */
function validateRoot({ source }: StructuralSchema, path: string): readonly FieldError[] {
  if (Object.keys(source).every((keyword) => allowedAtRoot.has(keyword))) return [];
  const why =
    `only [${rootKeywords.join(" ")}] fields are allowed at the root of the schema if the status subresource ` +
    "is enabled";
  return [invalid(path, undefined, why)];
}
