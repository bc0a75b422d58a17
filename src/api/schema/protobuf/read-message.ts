import { toBase64 } from "../../base64.ts";
import type { Json, JsonObject } from "../../json.ts";
import { parseJson } from "../../parse-json.ts";
import { assemble, type Slots, zeroOf } from "../assemble.ts";
import { type Member, type Shape, shapeOf, type WireEntries } from "../shape.ts";
import { scalarFromMessage } from "./scalar-message.ts";
import {
  countFields,
  fail,
  hasMore,
  readBool,
  readBytes,
  readDouble,
  readInt32,
  readInt64,
  readNested,
  readString,
  readTag,
  skipField,
  wireType,
  type WireReader,
} from "./wire-reader.ts";

/** Reads a message of a type to its end, in the form the JSON of the same object decodes to. */
export function readMessage(shape: Shape, reader: WireReader): JsonObject {
  const slots: Slots = [];
  const maps = new Map<Member, [string, Json][]>();
  readEntries(shape.byWire, { slots, maps, reader });
  for (const [member, entries] of maps) {
    entries.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
    // Unlike an assignment this makes `__proto__` a key like any other.
    slots[member.index] = Object.fromEntries(entries);
  }
  return assemble(shape, slots);
}

interface Reading {
  readonly slots: Slots;
  readonly maps: Map<Member, [string, Json][]>;
  readonly reader: WireReader;
}

function readEntries(entries: WireEntries, reading: Reading): void {
  const { reader } = reading;
  while (hasMore(reader)) {
    const { field, type } = readTag(reader);
    const entry = entries.get(field);
    if (entry === undefined) skipField(reader, type);
    else if (entry.kind === "member") readMember(entry.member, type, reading);
    else if (expects(wireType.bytes, type, reader))
      readNested(reader, () => readEntries(entry.entries, reading));
  }
}

function expects(wanted: number, type: number, reader: WireReader): boolean {
  if (type !== wanted) fail(reader, `wrong wire type ${type}, expected ${wanted}`);
  return type === wanted;
}

function readMember(member: Member, type: number, reading: Reading): void {
  const { slots, maps, reader } = reading;
  switch (member.form) {
    case "single":
      slots[member.index] = readValue(member.type, type, reader);
      break;
    case "list": {
      const list = (slots[member.index] ??= []) as Json[];
      readItems(member.type, type, { list, reader });
      break;
    }
    case "map": {
      const entries = maps.get(member) ?? [];
      maps.set(member, entries);
      if (expects(wireType.bytes, type, reader)) readEntry(member.type, entries, reader);
    }
  }
}

function readItems(valueType: string, type: number, into: { list: Json[]; reader: WireReader }): void {
  const { list, reader } = into;
  const isPacked = type === wireType.bytes && wireTypeOf(valueType) === wireType.varint;
  const readOne = (as: number): void => {
    const value = readValue(valueType, as, reader);
    if (value !== undefined) list.push(value);
  };
  if (!isPacked) readOne(type);
  else {
    readNested(reader, () => {
      while (hasMore(reader)) {
        countFields(reader, 1);
        readOne(wireType.varint);
      }
    });
  }
}

/** A map entry is a message of key and value; what is missing is zero. */
function readEntry(valueType: string, entries: [string, Json][], reader: WireReader): void {
  readNested(reader, () => {
    let key = "";
    let value = zeroOf(valueType);
    while (hasMore(reader)) {
      const { field, type } = readTag(reader);
      if (field === 1 && expects(wireType.bytes, type, reader)) key = readString(reader);
      else if (field === 2) value = readValue(valueType, type, reader);
      else skipField(reader, type);
    }
    if (value !== undefined) entries.push([key, value]);
  });
}

function wireTypeOf(valueType: string): number {
  switch (valueType) {
    case "bool":
    case "int32":
    case "int64":
      return wireType.varint;
    case "double":
      return wireType.fixed64;
    default:
      return wireType.bytes;
  }
}

function readValue(valueType: string, type: number, reader: WireReader): Json | undefined {
  if (!expects(wireTypeOf(valueType), type, reader)) return undefined;
  switch (valueType) {
    case "string":
      return readString(reader);
    case "bool":
      return readBool(reader);
    case "int32":
      return readInt32(reader);
    case "int64":
      return readInt64(reader);
    case "double":
      return readDouble(reader);
    case "bytes":
      return toBase64(readBytes(reader));
    default:
      return readNested(reader, () => readObject(valueType, reader));
  }
}

function readObject(type: string, reader: WireReader): Json | undefined {
  const shape = shapeOf(type);
  if (shape === undefined) return fail(reader, `type ${type} is not supported`);
  if (type.includes(".")) return readMessage(shape, reader);
  if (shape.byName.has("raw") || shape.byName.has("Raw")) return readRawJson(shape, reader);
  // Only an empty message is "no time": one that spells out its zeros is 1970.
  if (!hasMore(reader) && (type === "Time" || type === "MicroTime")) return undefined;
  return scalarFromMessage(type, readMessage(shape, reader), reader);
}

/** A message whose only field holds JSON text. */
function readRawJson(shape: Shape, reader: WireReader): Json | undefined {
  let text = "";
  while (hasMore(reader)) {
    const { field, type } = readTag(reader);
    if (shape.byWire.has(field) && expects(wireType.bytes, type, reader)) text = readString(reader);
    else skipField(reader, type);
  }
  if (text === "") return undefined;
  const parsed = parseJson(text);
  if (!parsed.ok) return fail(reader, parsed.error);
  countFields(reader, valuesIn(parsed.value));
  return parsed.value ?? undefined;
}

/** How many values a JSON value has, itself included. */
function valuesIn(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + valuesIn(member ?? null), 1);
}
