import { joinedBytes, utf8Bytes } from "../../../api/bytes.ts";
import type { Json, JsonObject } from "../../../api/json.ts";
import { objectOf } from "./swagger.ts";

// The protobuf form of Swagger 2.0, with the message and field numbers of gnostic's openapi.v2.Document: the only form in
// which kubectl reads version 2. Only what our documents contain is encoded.

/** Encodes a document of version 2 from its encoded members. */
export function encodedSwagger({ info, paths, definitions }: EncodedMembers): Uint8Array {
  return message(
    text(1, "2.0"),
    field(2, message(text(1, info["title"]), text(2, info["version"]))),
    field(8, joinedBytes(paths)),
    field(9, joinedBytes(definitions)),
  );
}

interface EncodedMembers {
  readonly info: JsonObject;
  readonly paths: readonly Uint8Array[];
  readonly definitions: readonly Uint8Array[];
}

/** Encodes a path and its operations. */
export function encodedPath(name: string, path: JsonObject): Uint8Array {
  return field(2, named(name, pathItem(path)));
}

/** Encodes a definition, or a property of one. */
export function encodedDefinition(name: string, schema: Json): Uint8Array {
  return field(1, named(name, encodeSchema(schema)));
}

const methodNumbers: ReadonlyMap<string, number> = new Map([
  ["get", 2],
  ["put", 3],
  ["post", 4],
  ["delete", 5],
  ["patch", 8],
]);

function pathItem(path: Json): Uint8Array {
  return message(
    ...each(path, (key, value) => {
      const number = methodNumbers.get(key);
      return number === undefined ? message() : field(number, operation(objectOf(value)));
    }),
    ...parameters(9, objectOf(path)["parameters"]),
  );
}

function operation(facts: JsonObject): Uint8Array {
  return message(
    text(5, facts["operationId"]),
    ...texts(6, facts["produces"]),
    ...texts(7, facts["consumes"]),
    ...parameters(8, facts["parameters"]),
    field(9, message(...each(facts["responses"], (code, value) => field(1, named(code, response(value)))))),
    ...extensions(13, facts),
  );
}

function response(value: Json): Uint8Array {
  const { description, schema = {} } = objectOf(value);
  return field(1, message(text(1, description), field(2, field(1, encodeSchema(schema)))));
}

function parameters(number: number, value: Json | undefined): readonly Uint8Array[] {
  return listOf(value).map((each) => field(number, field(1, parameter(objectOf(each)))));
}

function parameter(facts: JsonObject): Uint8Array {
  const { name, in: place, required, schema = {}, type } = facts;
  if (place === "body")
    return field(
      1,
      message(text(2, name), text(3, place), flag(4, required), field(5, encodeSchema(schema))),
    );
  const own = [flag(1, required), text(2, place), text(4, name)];
  const ofPath = () => field(4, message(...own, text(5, type), flag(19, true)));
  const ofQuery = () => field(3, message(...own, text(6, type), flag(20, true)));
  return field(2, place === "path" ? ofPath() : ofQuery());
}

function schemas(value: Json | undefined): Uint8Array {
  return message(...each(value, encodedDefinition));
}

function encodeSchema(value: Json): Uint8Array {
  const schema = objectOf(value);
  const { additionalProperties, type, items, properties } = schema;
  return message(
    text(1, schema["$ref"]),
    text(2, schema["format"]),
    text(4, schema["description"]),
    ...texts(19, schema["required"]),
    ...listOf(schema["enum"]).map((each) => field(20, anyValue(each))),
    additionalProperties === undefined ? message() : field(21, field(1, encodeSchema(additionalProperties))),
    type === undefined ? message() : field(22, text(1, type)),
    items === undefined ? message() : field(23, field(1, encodeSchema(items))),
    properties === undefined ? message() : field(25, schemas(properties)),
    ...extensions(31, schema),
  );
}

/** Encodes the members of an object whose names begin with `x-`. */
function extensions(number: number, value: JsonObject): readonly Uint8Array[] {
  return each(value, (name, member) =>
    name.startsWith("x-") ? field(number, named(name, anyValue(member))) : message(),
  );
}

/** Encodes a value as YAML, of which JSON is a subset. */
function anyValue(value: Json): Uint8Array {
  return text(2, JSON.stringify(value));
}

function named(name: string, value: Uint8Array): Uint8Array {
  return message(text(1, name), field(2, value));
}

function message(...fields: readonly Uint8Array[]): Uint8Array {
  return joinedBytes(fields);
}

/** Encodes a length-delimited field. */
function field(number: number, content: Uint8Array): Uint8Array {
  return joinedBytes([varint((number << 3) | 2), varint(content.length), content]);
}

function text(number: number, value: Json | undefined): Uint8Array {
  return typeof value === "string" && value !== "" ? field(number, utf8Bytes(value)) : message();
}

function texts(number: number, value: Json | undefined): readonly Uint8Array[] {
  return listOf(value).map((each) => text(number, each));
}

function flag(number: number, value: Json | undefined): Uint8Array {
  return value === true ? joinedBytes([varint(number << 3), varint(1)]) : message();
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest & 127) | 128);
  }
}

function each(
  value: Json | undefined,
  encode: (key: string, member: Json) => Uint8Array,
): readonly Uint8Array[] {
  return Object.entries(objectOf(value)).map(([key, member = null]) => encode(key, member));
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
