import type { Json, JsonObject } from "../../../api/json.ts";
import { messageOf } from "../../../api/message-of.ts";
import { type ParsedJson, parseJson } from "../../../api/parse-json.ts";
import { decodeProtobuf } from "../../../api/schema/protobuf/decode-protobuf.ts";
import { badRequest, unsupportedMediaType } from "../status-errors.ts";
import { readYaml } from "./read-yaml.ts";

/** An undecoded body. */
export interface BodyBytes {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A parsed body, not yet checked against a kind. */
export interface ReadBody {
  readonly value: Json;
  readonly duplicates: readonly string[];
  readonly isProtobuf: boolean;
  readonly isYaml?: boolean;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses a body by its media type, JSON by default; throws 415 for an unknown one. */
export function readBody(
  { contentType, bytes }: BodyBytes,
  options: { reportDuplicates: boolean },
): ReadBody {
  switch (bareMediaType(contentType)) {
    case "":
    case jsonType:
      return { ...parsedOrBadRequest(parseJson(bodyText(bytes), options)), isProtobuf: false };
    case yamlType:
      return { ...parsedOrBadRequest(readYaml(bodyText(bytes))), isProtobuf: false, isYaml: true };
    case protobufType:
      return { value: readProtobuf(bytes), duplicates: [], isProtobuf: true };
    default:
      throw unsupportedMediaType([jsonType, yamlType, protobufType]);
  }
}

function readProtobuf(bytes: Uint8Array): JsonObject {
  const decoded = decodeProtobuf(bytes);
  if (!decoded.ok) throw badRequest(`error decoding the body of the request: ${decoded.error}`);
  const { apiVersion, kind, object } = decoded;
  return { ...object, apiVersion, kind };
}

/** Decodes a body as UTF-8; throws 400 when it is not. */
export function bodyText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw badRequest(`the body of the request is not UTF-8: ${messageOf(error)}`, { cause: error });
  }
}

/** Returns the parsed value; throws 400 with the parser's error. */
export function parsedOrBadRequest(parsed: ParsedJson): Extract<ParsedJson, { ok: true }> {
  if (!parsed.ok) throw badRequest(`error decoding the body of the request: ${parsed.error}`);
  return parsed;
}

/**
 * Returns a media type without its parameters, in lower case: `application/json` for `Application/JSON; charset=utf-8`.
 */
export function bareMediaType(header: string): string {
  return (header.split(";", 1)[0] ?? "").trim().toLowerCase();
}

// The media types of request bodies.
const jsonType = "application/json";
const yamlType = "application/yaml";
const protobufType = "application/vnd.kubernetes.protobuf";
