import { utf8Length } from "../../../../api/bytes.ts";
import type { StructuralSchema } from "../../custom-resources/structural/structural-schema.ts";
import { withObjectMeta } from "../values/schema-value.ts";
import {
  bool,
  bytes,
  type CelType,
  double,
  duration,
  dyn,
  int,
  list,
  map,
  string,
  timestamp,
} from "./cel-type.ts";
import { escapeName } from "./escape-name.ts";

/** The type of the values of a schema, and how large they can be. */
export interface Declaration {
  readonly type: CelType;
  /** The most characters, bytes, items or entries; zero where size has no meaning. */
  readonly maxElements: number;
  /** The least length of a value as JSON. */
  readonly minSize: number;
  readonly element?: Declaration | undefined;
  readonly key?: Declaration | undefined;
  /** The fields by the names that rules use. */
  readonly fields?: ReadonlyMap<string, Declaration> | undefined;
}

/** The length of the largest request. */
export const largestRequest = 3 * 1024 * 1024;
const longestText = largestRequest - 2;
const longestTime = 32;
const dateSize = 12;

const key: Declaration = { type: string, maxElements: 0, minSize: 2 };

/**
 * Returns the declaration of a schema under a type name; `undefined` if rules cannot see its values. The root of a resource
 * has the fields of all resources too.
 */
export function declarationOf(
  schema: StructuralSchema,
  name: string,
  isResource = schema.embeddedResource,
): Declaration | undefined {
  if (schema.intOrString) {
    const maxElements = schema.maxLength === undefined ? longestText : longest(schema.maxLength);
    return { type: dyn, maxElements, minSize: 1 };
  }
  const type = isResource ? "object" : schema.type;
  switch (type) {
    case undefined:
      return undefined;
    case "array":
      return listDeclaration(schema, name);
    case "object":
      return objectDeclaration(isResource ? withObjectMeta(schema) : schema, name);
    case "string":
      return textDeclaration(schema);
    case "boolean":
      return { type: bool, maxElements: 0, minSize: 4 };
    case "number":
      return { type: double, maxElements: 0, minSize: 1 };
    case "integer":
      return { type: int, maxElements: 0, minSize: 1 };
  }
}

/** A character has up to four bytes. */
function longest(maxLength: number): number {
  return Math.max(0, maxLength) * 4;
}

function listDeclaration({ items, maxItems }: StructuralSchema, name: string): Declaration | undefined {
  const element = items && declarationOf(items, `${name}.@idx`);
  if (element === undefined) return undefined;
  const maxElements =
    maxItems === undefined ? Math.floor(longestText / (element.minSize + 1)) : Math.max(0, maxItems);
  return { type: list(element.type), maxElements, minSize: 2, element };
}

function objectDeclaration(schema: StructuralSchema, name: string): Declaration | undefined {
  const { additionalProperties } = schema;
  if (typeof additionalProperties === "object") return mapDeclaration(schema, additionalProperties, name);
  const fields = new Map<string, Declaration>();
  let minSize = 2;
  for (const [fieldName, property] of schema.properties) {
    const field = declarationOf(property, `${name}.${fieldName}`);
    if (field === undefined) continue;
    const escaped = escapeName(fieldName);
    if (escaped !== undefined) fields.set(escaped, field);
    if (schema.required.includes(fieldName) && property.default === undefined)
      minSize += utf8Length(fieldName) + field.minSize + 4;
  }
  const types = new Map([...fields].map(([field, { type }]) => [field, type]));
  return { type: { kind: "object", name, fields: types }, maxElements: 0, minSize, fields };
}

function mapDeclaration(
  { maxProperties }: StructuralSchema,
  values: StructuralSchema,
  name: string,
): Declaration | undefined {
  const element = declarationOf(values, `${name}.@elem`);
  if (element === undefined) return undefined;
  const maxElements =
    maxProperties === undefined
      ? Math.floor(longestText / (element.minSize + 6))
      : Math.max(0, maxProperties);
  return { type: map(string, element.type), maxElements, minSize: 2, element, key };
}

/** The formats of texts that are times. */
const times: Readonly<Record<string, Declaration>> = {
  duration: { type: duration, maxElements: longestTime, minSize: 3 },
  date: { type: timestamp, maxElements: dateSize, minSize: dateSize },
  "date-time": { type: timestamp, maxElements: longestTime, minSize: 21 },
};

function textDeclaration(schema: StructuralSchema): Declaration {
  const { format = "", maxLength, enum: allowed = [] } = schema;
  const time = times[format];
  if (time !== undefined) return time;
  if (format === "byte")
    return {
      type: bytes,
      maxElements: maxLength === undefined ? longestText : Math.max(0, maxLength),
      minSize: 2,
    };
  if (maxLength !== undefined) return { type: string, maxElements: longest(maxLength), minSize: 2 };
  const lengths = allowed.map((value) => (typeof value === "string" ? utf8Length(value) : 0));
  const maxElements = allowed.length === 0 ? longestText : lengths.reduce((a, b) => Math.max(a, b), 0);
  return { type: string, maxElements, minSize: 2 };
}
