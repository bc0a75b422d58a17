import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { decodeObject } from "../../../api/schema/decode-object.ts";
import type { RequestBody } from "../request/api-request.ts";
import type { FieldValidation } from "../request/write-options.ts";
import { badRequest } from "../status-errors.ts";
import { readBody } from "./read-body.ts";

/** What a body has to be. */
export interface ExpectedKind {
  /** Absent: any, for options that every group has. */
  readonly apiVersion?: string;
  readonly kind: string;
  /** Its type in the schema table. */
  readonly type: string;
}

/** A body that has become an object. */
export interface DecodedBody {
  readonly object: JsonObject;
  readonly warnings: readonly string[];
  /** The encoding has no room for fields Kubernetes does not know. */
  readonly isProtobuf: boolean;
}

/** Makes an object of a request's body; throws 400 for what is none, 415 for what cannot be read. */
export function decodeBody(
  body: RequestBody,
  expected: ExpectedKind,
  checking: DecodeOptions = { validation: "Ignore" },
): DecodedBody {
  if (body.form === "value") return { ...checkFields(body.value, expected, checking), isProtobuf: false };
  const reportDuplicates = checking.validation !== "Ignore";
  const { value, duplicates, isProtobuf } = readBody(body, { reportDuplicates });
  if (isProtobuf && isJsonObject(value)) {
    refuseOtherKinds(value, expected);
    // Decoded by the schema table already: nothing unknown is left in it.
    return { object: value, warnings: [], isProtobuf };
  }
  return { ...checkFields(value, expected, { ...checking, strictErrors: duplicates }), isProtobuf };
}

/** How strictly to look, and at what not to look again. */
export interface DecodeOptions {
  readonly validation: FieldValidation;
  /** What has been found before: fields that come twice. */
  readonly strictErrors?: readonly string[];
  /** The stored object: what is still the same is not looked at again, and stays shared with it. */
  readonly known?: JsonObject;
}

/** Checks plain JSON against kind and schema: unknown fields are dropped, told, or refused, as the client asked. */
export function checkFields(
  value: Json,
  expected: ExpectedKind,
  { validation, strictErrors: before = [], known }: DecodeOptions,
): { readonly object: JsonObject; readonly warnings: readonly string[] } {
  refuseOtherKinds(value, expected);
  const decoded = decodeObject(expected.type, value, known);
  if (!decoded.ok) throw cannotBeHandled(value, expected, decoded.error);
  const complaints = [...before, ...decoded.unknownFields];
  if (validation === "Strict" && complaints.length > 0)
    throw cannotBeHandled(value, expected, `strict decoding error: ${complaints.join(", ")}`);
  return { object: decoded.object, warnings: validation === "Warn" ? complaints : [] };
}

function refuseOtherKinds(value: Json, expected: ExpectedKind): void {
  const { apiVersion, kind } = isJsonObject(value) ? value : {};
  if (typeof kind === "string" && kind !== "" && kind !== expected.kind)
    throw cannotBeHandled(value, expected, "the kind in the data is another one");
  const sent = typeof apiVersion === "string" ? apiVersion : "";
  if (expected.apiVersion === undefined || sent === "" || sent === expected.apiVersion) return;
  throw badRequest(
    `the API version in the data (${sent}) does not match the expected API version (${expected.apiVersion})`,
  );
}

function cannotBeHandled(value: Json, expected: ExpectedKind, why: string) {
  const { kind, apiVersion } = isJsonObject(value) ? value : {};
  const sent = typeof apiVersion === "string" ? apiVersion : (expected.apiVersion ?? "");
  const version = JSON.stringify(sent.replace(/^.*\//, ""));
  const title = typeof kind === "string" ? kind : expected.kind;
  return badRequest(`${title} in version ${version} cannot be handled as a ${expected.kind}: ${why}`);
}
