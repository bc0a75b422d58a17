import { parseDuration } from "../api/duration.ts";
import type { Json, JsonObject } from "../api/json.ts";
import { valueOf } from "../api/schema/shape.ts";
import { bodyType, type FieldFacts, schemaTable } from "../api/schema/table.ts";
import { parseTime } from "../api/time.ts";

type Bytes = readonly number[];

/** Writes an object as a Go client would send it: what cannot be absent is written even when it is zero. */
export function encodeProtobuf(object: JsonObject): Uint8Array {
  const apiVersion = text(object["apiVersion"]);
  const kind = text(object["kind"]);
  const fields = schemaTable().types.get(bodyType(apiVersion, kind) ?? "")?.fields ?? {};
  const typeMeta = [...lengthDelimited(1, utf8(apiVersion)), ...lengthDelimited(2, utf8(kind))];
  return Uint8Array.from([
    0x6b,
    0x38,
    0x73,
    0x00,
    ...lengthDelimited(1, typeMeta),
    ...lengthDelimited(2, encodeFields(fields, object)),
    ...lengthDelimited(3, []),
    ...lengthDelimited(4, []),
  ]);
}

/** A field that holds bytes: a text, a message. */
export function lengthDelimited(wire: number, bytes: Bytes): number[] {
  return [...varint(BigInt(wire) * 8n + 2n), ...varint(BigInt(bytes.length)), ...bytes];
}

/** An integer as protobuf writes it: seven bits a byte, negative ones in ten. */
export function varint(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

const utf8 = (value: string): number[] => [...new TextEncoder().encode(value)];
const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const number = (value: Json | undefined): number => (typeof value === "number" ? value : 0);
const members = (value: Json | undefined): JsonObject => (value ?? {}) as JsonObject;
const items = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);

function encodeFields(fields: Readonly<Record<string, FieldFacts>>, object: JsonObject): number[] {
  return Object.entries(fields).flatMap(([name, facts]) =>
    encodeField(facts, facts.inline === true ? object : object[name]),
  );
}

function encodeField(facts: FieldFacts, value: Json | undefined): number[] {
  const { wire } = facts;
  const { form, type } = valueOf(facts);
  if (wire === undefined) return [];
  if (form === "list") return items(value).flatMap((item) => encodeValue(wire, type, item));
  if (form === "map") {
    return Object.entries(members(value)).flatMap(([key, item]) =>
      lengthDelimited(wire, [...lengthDelimited(1, utf8(key)), ...encodeValue(2, type, item)]),
    );
  }
  return facts.pointer === true && value === undefined ? [] : encodeValue(wire, type, value);
}

function encodeValue(wire: number, type: string, value: Json | undefined): number[] {
  switch (type) {
    case "string":
      return lengthDelimited(wire, utf8(text(value)));
    case "bytes":
      return lengthDelimited(
        wire,
        Array.from(atob(text(value)), (character) => character.charCodeAt(0)),
      );
    case "bool":
      return [...varint(BigInt(wire) * 8n), Number(value === true)];
    case "int32":
    case "int64":
      return [...varint(BigInt(wire) * 8n), ...varint(BigInt(number(value)))];
    case "double":
      return [...varint(BigInt(wire) * 8n + 1n), ...new Uint8Array(new Float64Array([number(value)]).buffer)];
    default:
      return lengthDelimited(wire, encodeMessage(type, value));
  }
}

function encodeMessage(type: string, value: Json | undefined): number[] {
  const fields = schemaTable().types.get(type)?.fields;
  if (fields !== undefined) return encodeFields(fields, members(value));
  const message = schemaTable().scalars.get(type)?.message ?? {};
  // Go writes no field of a scalar that is not set.
  if (value === undefined) return [];
  const given = scalarMembers[type]?.(value) ?? {};
  const present = Object.entries(message).filter(([name]) => Object.hasOwn(given, name));
  return present.flatMap(([name, facts]) => encodeField(facts, given[name]));
}

/** The members of the message a scalar is on the wire, by its name. */
const scalarMembers: Readonly<Record<string, (value: Json) => JsonObject>> = {
  Time: timeMembers,
  MicroTime: timeMembers,
  Duration: (value) => ({ duration: (parseDuration(typeof value === "string" ? value : "") ?? 0) * 1e6 }),
  Quantity: (value) => ({ string: value }),
  IntOrString: (value) =>
    typeof value === "string"
      ? { type: 1, intVal: 0, strVal: value }
      : { type: 0, intVal: value, strVal: "" },
  StringList: (value) => ({ items: value }),
  SchemaOrBool: (value) => (typeof value === "boolean" ? { allows: value } : { allows: true, schema: value }),
  SchemaOrArray: (value) => (Array.isArray(value) ? { jSONSchemas: value } : { schema: value }),
  SchemaOrStringArray: (value) => (Array.isArray(value) ? { property: value } : { schema: value }),
  RawExtension: (value) => ({ raw: jsonBytes(value) }),
  FieldsV1: (value) => ({ Raw: jsonBytes(value) }),
  JSON: (value) => ({ raw: jsonBytes(value) }),
};

function timeMembers(value: Json): JsonObject {
  const micros = /\.(\d{6})/.exec(text(value))?.[1] ?? "0";
  return { seconds: Math.floor((parseTime(text(value)) ?? 0) / 1000), nanos: Number(micros) * 1000 };
}

function jsonBytes(value: Json): string {
  return btoa(String.fromCharCode(...utf8(JSON.stringify(value))));
}
