import type { JsonObject } from "../../json.ts";
import { shapeOf } from "../shape.ts";
import { bodyType, schemaTable } from "../table.ts";
import { readMessage } from "./read-message.ts";
import { hasMore, readBytes, readTag, skipField, wireReader, wireType } from "./wire-reader.ts";

/** The object of a protobuf body, in the form its JSON decodes to, or why there is none. */
export type DecodedProtobuf =
  | { readonly ok: true; readonly apiVersion: string; readonly kind: string; readonly object: JsonObject }
  | { readonly ok: false; readonly error: string };

const failed = (error: string): DecodedProtobuf => ({ ok: false, error });

/** Whether bytes start like a Kubernetes protobuf body. */
export function isProtobuf(bytes: Uint8Array): boolean {
  return magic().every((byte, index) => bytes[index] === byte);
}

function magic(): readonly number[] {
  return (schemaTable().envelope.magic.match(/../g) ?? []).map((hex) => Number.parseInt(hex, 16));
}

/** Decodes a request body by the schema table; unknown field numbers are skipped, so newer clients are understood. */
export function decodeProtobuf(bytes: Uint8Array): DecodedProtobuf {
  if (!isProtobuf(bytes)) {
    const { magic: prefix } = schemaTable().envelope;
    return failed(`provided data does not appear to be a protobuf message, expected prefix ${prefix}`);
  }
  const { message } = schemaTable().envelope;
  const envelope = readParts(bytes.subarray(magic().length));
  const typeMeta = readParts(envelope.parts.get(message.typeMeta.wire));
  const error = envelope.error ?? typeMeta.error;
  if (error !== undefined) return failed(error);
  const encoding = textOf(envelope.parts.get(message.contentEncoding.wire));
  if (encoding !== "") return failed(`content encoding ${JSON.stringify(encoding)} is not supported`);
  return decodeMessage(
    textOf(typeMeta.parts.get(message.typeMeta.message.apiVersion.wire)),
    textOf(typeMeta.parts.get(message.typeMeta.message.kind.wire)),
    envelope.parts.get(message.raw.wire) ?? new Uint8Array(),
  );
}

/** The length-delimited fields of a message, the last of each number. */
function readParts(bytes: Uint8Array = new Uint8Array()): {
  readonly parts: ReadonlyMap<number, Uint8Array>;
  readonly error: string | undefined;
} {
  const reader = wireReader(bytes);
  const parts = new Map<number, Uint8Array>();
  while (hasMore(reader)) {
    const { field, type } = readTag(reader);
    if (type === wireType.bytes) parts.set(field, readBytes(reader));
    else skipField(reader, type);
  }
  return { parts, error: reader.error };
}

function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}

function decodeMessage(apiVersion: string, kind: string, raw: Uint8Array): DecodedProtobuf {
  const type = bodyType(apiVersion, kind);
  const shape = type === undefined ? undefined : shapeOf(type);
  if (type === undefined || shape === undefined)
    return failed(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`);
  if (schemaTable().types.get(type)?.proto === false) return failed(`${kind} has no protobuf form`);
  const reader = wireReader(raw);
  const object = readMessage(shape, reader);
  if (reader.error !== undefined) return failed(reader.error);
  if (!shape.byName.has("kind")) return { ok: true, apiVersion, kind, object };
  // In protobuf only the envelope has apiVersion and kind; in JSON they come first.
  return { ok: true, apiVersion, kind, object: { kind, apiVersion, ...object } };
}
