import { exactList } from "../compact.ts";
import { formatFieldPath } from "../field-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { deepestNesting } from "../parse-json.ts";
import { assemble, type Slots, zeroOf } from "./assemble.ts";
import { goName, scalarProblem, scalarReader } from "./decode-scalar.ts";
import { type Member, type Shape, shapeOf } from "./shape.ts";

/** A decoded object with its unknown fields, or the error. */
export type DecodedObject =
  | {
      readonly ok: true;
      readonly object: JsonObject;
      /** `unknown field "spec.foo"`, in the order they came, a hundred at most; the object is without them. */
      readonly unknownFields: readonly string[];
    }
  | { readonly ok: false; readonly error: string };

/** The state of a decoding: position and findings. */
interface Walk {
  readonly path: (string | number)[];
  /** The path without list positions and map keys, as in Go's messages. */
  readonly fields: string[];
  readonly unknown: Set<string>;
  /** The type of the innermost object. */
  within: string;
  /** The value at this position in the known object. */
  known: Json | undefined;
  error: string | undefined;
}

const mostUnknown = 100;
const schemaType = "apiextensions.v1.JSONSchemaProps";

/**
 * Decodes plain JSON as an object of a type in the schema table. Null is absent; quantities, times and base64 come
 * out in their canonical spelling; the result shares only free-form values with the input. If `known`, an object decoded
 * before, is given, the result reuses every part of it that is unchanged.
 */
export function decodeObject(type: string, value: Json, known?: JsonObject): DecodedObject {
  const shape = shapeOf(type);
  if (shape === undefined) return { ok: false, error: `no type ${JSON.stringify(type)} in the schema` };
  const walk: Walk = { path: [], fields: [], unknown: new Set(), within: type, known, error: undefined };
  const object = readObject(shape, value, walk);
  if (walk.error !== undefined || object === undefined)
    return { ok: false, error: walk.error ?? "no object" };
  return { ok: true, object, unknownFields: [...walk.unknown] };
}

function readObject(shape: Shape, value: Json, walk: Walk): JsonObject | undefined {
  if (!isJsonObject(value)) return mismatch(value, goName(shape.type), walk);
  if (walk.path.length >= deepestNesting) return fail(walk, "exceeded max depth");
  const { within: outer, known } = walk;
  walk.within = shape.type;
  const slots: Slots = [];
  for (const name of Object.keys(value)) {
    const item = value[name];
    const member = shape.byName.get(name);
    if (member === undefined) noteUnknown(name, walk);
    else if (item !== undefined && item !== null) slots[member.index] = readMember(member, item, walk);
    walk.known = known;
  }
  walk.within = outer;
  return reused(assemble(shape, slots), known);
}

function noteUnknown(name: string, walk: Walk): void {
  if (walk.unknown.size >= mostUnknown) return;
  walk.unknown.add(`unknown field ${JSON.stringify(formatFieldPath([...walk.path, name]))}`);
}

function readMember(member: Member, value: Json, walk: Walk): Json | undefined {
  walk.known = isJsonObject(walk.known) ? walk.known[member.name] : undefined;
  if (value === walk.known) return value;
  walk.path.push(member.name);
  walk.fields.push(member.name);
  const read = readForm(member, value, walk);
  walk.path.pop();
  walk.fields.pop();
  return read;
}

function readForm({ form, type }: Member, value: Json, walk: Walk): Json | undefined {
  switch (form) {
    case "single":
      return readValue(type, value, walk);
    case "list":
      return readList(type, value, walk);
    case "map":
      return readMap(type, value, walk);
  }
}

function readList(type: string, value: Json, walk: Walk): readonly Json[] | undefined {
  if (!isList(value)) return mismatch(value, `[]${goName(type)}`, walk);
  const list: Json[] = [];
  const { known } = walk;
  for (const [index, item] of value.entries()) {
    walk.path.push(index);
    walk.known = Array.isArray(known) ? (known as readonly Json[])[index] : undefined;
    const read = readElement(type, item, walk);
    if (read !== undefined) list.push(read);
    walk.path.pop();
  }
  const kept = reused(list, known);
  return kept === list ? exactList(list) : kept;
}

function readMap(type: string, value: Json, walk: Walk): JsonObject | undefined {
  if (!isJsonObject(value)) return mismatch(value, `map[string]${goName(type)}`, walk);
  const entries: [string, Json][] = [];
  const { known } = walk;
  for (const key of Object.keys(value).sort()) {
    walk.path.push(key);
    walk.known = isJsonObject(known) ? known[key] : undefined;
    const read = readElement(type, value[key], walk);
    if (read !== undefined) entries.push([key, read]);
    walk.path.pop();
  }
  // Unlike an assignment this makes `__proto__` a key like any other.
  return reused(Object.fromEntries(entries), known);
}

/** Returns the known value if its members are identical. */
function reused<T extends object>(read: T, known: Json | undefined): T {
  if (typeof known !== "object" || known === null) return read;
  const members = Object.entries(read);
  const same =
    members.length === Object.keys(known).length &&
    members.every(([name, value]) => Object.hasOwn(known, name) && (known as JsonObject)[name] === value);
  return same ? (known as unknown as T) : read;
}

/** Decodes a list; a null item becomes the zero of its type. */
function readElement(type: string, value: Json | undefined, walk: Walk): Json | undefined {
  if (value === undefined || value === null) return zeroOf(type);
  return value === walk.known ? value : readValue(type, value, walk);
}

function readValue(type: string, value: Json, walk: Walk): Json | undefined {
  const scalar = scalarReader(type);
  if (scalar !== undefined) return scalar(value) ?? wrongScalar(type, value, walk);
  switch (type) {
    case "SchemaOrBool":
      return typeof value === "boolean" ? value : readValue(schemaType, value, walk);
    case "SchemaOrArray":
      return isList(value) ? readList(schemaType, value, walk) : readValue(schemaType, value, walk);
    case "SchemaOrStringArray":
      return isList(value) ? readList("string", value, walk) : readValue(schemaType, value, walk);
    default: {
      const shape = shapeOf(type);
      return shape && readObject(shape, value, walk);
    }
  }
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function wrongScalar(type: string, value: Json, walk: Walk): undefined {
  const problem = scalarProblem(type, value);
  if (problem === undefined) return mismatch(value, goName(type), walk);
  return fail(walk, `${formatFieldPath(walk.path)}: ${problem}`);
}

/** Go's sentence for a value of the wrong type. */
function mismatch(value: Json, wanted: string, walk: Walk): undefined {
  const name = walk.within.slice(walk.within.lastIndexOf(".") + 1);
  const place = walk.fields.length === 0 ? "value" : `struct field ${name}.${walk.fields.join(".")}`;
  return fail(walk, `json: cannot unmarshal ${kindOf(value, wanted)} into Go ${place} of type ${wanted}`);
}

function kindOf(value: Json, wanted: string): string {
  if (value === null) return "null";
  if (isList(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "number" && wanted.startsWith("int") ? `number ${value}` : typeof value;
}

/** Only the first error is kept; later ones may be its consequence. */
function fail(walk: Walk, error: string): undefined {
  walk.error ??= error;
}
