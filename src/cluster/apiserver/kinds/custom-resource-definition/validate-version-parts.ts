import { deepEqual } from "../../../../api/deep-equal.ts";
import { type FieldError, invalid } from "../../../../api/field-error.ts";
import type { FieldErrors } from "../../../../api/field-checks.ts";
import type { JsonObject } from "../../../../api/json.ts";
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
interface VersionPart {
  readonly of: (version: SentVersion) => unknown;
  /** Its path if all versions have the same, below `spec`. */
  readonly shared: string;
  /** Its path below a version. */
  readonly own: string;
}

interface ValidatedPart extends VersionPart {
  readonly validate: (version: SentVersion, path: string, stored: SentVersion | undefined) => FieldErrors;
}

/** The schema of a version. */
export const schemaPart: VersionPart = {
  of: ({ schema }) => schema?.openAPIV3Schema,
  shared: "validation.openAPIV3Schema",
  own: "schema.openAPIV3Schema",
};

const parts: readonly ValidatedPart[] = [
  { ...schemaPart, validate: validateSchema },
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

/** A part of a version, where errors about it are reported, and the version as it was. */
export interface PartPlace {
  readonly version: SentVersion;
  readonly path: string;
  readonly stored: SentVersion | undefined;
}

/** Returns where a part stands. upstream: one that is the same in all versions is reported where older versions of the API had it. */
export function placesOf(
  { of, shared, own }: VersionPart,
  { spec }: SentDefinition,
  stored?: SentDefinition,
): readonly PartPlace[] {
  const [first, ...others] = spec?.versions ?? [];
  if (first === undefined) return [];
  const before = new Map((stored?.spec?.versions ?? []).map((version) => [version.name, version]));
  if (others.every((version) => deepEqual(of(version), of(first))))
    return [{ version: first, path: `spec.${shared}`, stored: before.get(first.name) }];
  return [first, ...others].map((version, index) => ({
    version,
    path: `spec.versions[${index}].${own}`,
    stored: before.get(version.name),
  }));
}

/** Validates what versions share or declare themselves: schemas, subresources, columns and selectable fields. */
export function validateVersionParts(definition: SentDefinition, previous?: SentDefinition): FieldErrors {
  return parts.flatMap((part) =>
    placesOf(part, definition, previous).flatMap(({ version, path, stored }) =>
      part.validate(version, path, stored),
    ),
  );
}

/** Returns the schema of a version. */
export function schemaOf({ schema }: SentVersion): StructuralSchema {
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
  return [...root, ...errors];
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
