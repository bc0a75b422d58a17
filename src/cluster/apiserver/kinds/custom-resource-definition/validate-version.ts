import { duplicate, type FieldError, invalid, required, tooMany } from "../../../../api/field-error.ts";
import { each, type FieldErrors, requiredText } from "../../../../api/field-checks.ts";
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  SelectableField,
} from "../../../../api/generated/apiextensions-v1.ts";
import { dns1035LabelProblems } from "../../../../api/names.ts";
import type { Sent } from "../../../../api/sent.ts";
import { schemaAtPath } from "../../custom-resources/simple-path.ts";
import type { StructuralSchema } from "../../custom-resources/structural/structural-schema.ts";

export type SentVersion = Sent<CustomResourceDefinitionVersion>;

/** Validates the name and the deprecation of a version. */
export function validateVersion(version: SentVersion, path: string): FieldErrors {
  const { name = "", deprecated = false, deprecationWarning } = version;
  const errors: FieldError[] = [];
  const problems = dns1035LabelProblems(name);
  if (problems.length > 0) errors.push(invalid(`${path}.name`, name, problems.join(",")));
  const field = `${path}.deprecationWarning`;
  if (deprecationWarning !== undefined) {
    if (!deprecated)
      errors.push(invalid(field, deprecationWarning, "can only be set for deprecated versions"));
    errors.push(...warningProblems(deprecationWarning, field));
  }
  return errors;
}

const longestWarning = 256;

function warningProblems(warning: string, field: string): FieldErrors {
  if (warning.length > longestWarning)
    return [invalid(field, warning, `must be <= ${longestWarning} characters long`)];
  return warning === "" ? [invalid(field, warning, "must not be an empty string")] : [];
}

/** Validates the subresources of a version. */
export function validateSubresources({ scale }: Sent<CustomResourceSubresources>, path: string): FieldErrors {
  if (scale === undefined) return [];
  const { specReplicasPath = "", statusReplicasPath = "", labelSelectorPath = "" } = scale;
  const at = (name: string) => `${path}.scale.${name}`;
  return [
    ...replicasPath(specReplicasPath, at("specReplicasPath"), [".spec"]),
    ...replicasPath(statusReplicasPath, at("statusReplicasPath"), [".status"]),
    ...(labelSelectorPath === ""
      ? []
      : pathBelow(labelSelectorPath, at("labelSelectorPath"), [".spec", ".status"])),
  ];
}

function replicasPath(text: string, field: string, parents: readonly string[]): FieldErrors {
  return text === "" ? [required(field)] : pathBelow(text, field, parents);
}

function pathBelow(text: string, field: string, parents: readonly string[]): FieldErrors {
  if (!text.startsWith(".")) return [invalid(field, text, notSimple)];
  if (parents.some((parent) => text.startsWith(`${parent}.`))) return [];
  const where = parents.length === 1 ? parents.join("") : `either ${parents.join(" or ")}`;
  return [invalid(field, text, `should be a json path under ${where}`)];
}

const notSimple = "must be a simple json path starting with .";

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

/** Validates the columns of a version. */
export function validateColumns(
  columns: readonly Sent<CustomResourceColumnDefinition>[] | undefined,
  path: string,
): FieldErrors {
  return each(columns, path, ({ name, type = "", format = "", jsonPath = "" }, at) => {
    const errors: FieldError[] = [...requiredText(name, `${at}.name`)];
    const typeRule = `must be one of ${columnTypes.join(",")}`;
    if (type === "") errors.push(required(`${at}.type`, typeRule));
    else if (!columnTypes.includes(type)) errors.push(invalid(`${at}.type`, type, typeRule));
    if (format !== "" && !columnFormats.includes(format))
      errors.push(invalid(`${at}.format`, format, `must be one of ${columnFormats.join(",")}`));
    if (jsonPath === "") errors.push(required(`${at}.JSONPath`));
    else if (!jsonPath.startsWith(".")) errors.push(invalid(`${at}.JSONPath`, jsonPath, notSimple));
    return errors;
  });
}

const mostSelectableFields = 8;
const selectableTypes: ReadonlySet<string | undefined> = new Set(["string", "boolean", "integer"]);

/** Validates the fields that field selectors may name. */
export function validateSelectableFields(
  fields: readonly Sent<SelectableField>[] | undefined,
  schema: StructuralSchema,
  path: string,
): FieldErrors {
  const seen = new Set<string>();
  const errors = [
    ...each(fields, path, ({ jsonPath = "" }, at) => {
      const field = `${at}.jsonPath`;
      if (jsonPath === "") return [required(field)];
      const problem = pathProblem(jsonPath, schema);
      if (problem !== undefined) return [invalid(field, jsonPath, problem)];
      const found = targetProblems(jsonPath, schema).map((why) => invalid(field, jsonPath, why));
      if (seen.has(jsonPath)) found.push(duplicate(field, jsonPath));
      seen.add(jsonPath);
      return found;
    }),
  ];
  if (seen.size > mostSelectableFields) errors.push(tooMany(path, seen.size, mostSelectableFields));
  return errors;
}

function pathProblem(jsonPath: string, schema: StructuralSchema): string | undefined {
  if (jsonPath.includes("[")) return "is an invalid path: array notation is not allowed";
  if (isInMetadata(jsonPath) || schemaAtPath(schema, jsonPath) !== undefined) return undefined;
  return "is an invalid path: does not refer to a valid field";
}

function targetProblems(jsonPath: string, schema: StructuralSchema): readonly string[] {
  if (isInMetadata(jsonPath)) return ["must not point to fields in metadata"];
  if (selectableTypes.has(schemaAtPath(schema, jsonPath)?.type)) return [];
  return [
    "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.",
  ];
}

function isInMetadata(jsonPath: string): boolean {
  return jsonPath === ".metadata" || jsonPath.startsWith(".metadata.");
}
