import { invalid } from "../../../api/field-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { apiVersionOf, type Resource } from "../../../api/resource.ts";
import type { ApiRequest, RequestBody } from "../request/api-request.ts";
import type { FieldValidation } from "../request/write-options.ts";
import type { KindSchema } from "../schema/kind-schema.ts";
import { badRequest, invalidObject, missingBody } from "../status-errors.ts";
import { readBody } from "./read-body.ts";
import { yamlErrors } from "./read-yaml.ts";

/** The kind a body must have. */
export interface ExpectedKind {
  /** Absent: any, for option kinds that every group has. */
  readonly apiVersion?: string;
  /** An older version whose objects are the same. */
  readonly olderVersion?: string;
  readonly kind: string;
  readonly schema: KindSchema;
}

/** A decoded body. */
export interface DecodedBody {
  readonly object: JsonObject;
  readonly warnings: readonly string[];
  /** Protobuf cannot carry the fields that Kubernetes does not have. */
  readonly isProtobuf: boolean;
}

/** The kind of a resource's objects, as a body must have it. */
export function expectedKindOf(resource: Resource & { readonly schema: KindSchema }): ExpectedKind {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, schema: resource.schema };
}

/** Decodes the body that a request must have; throws 400 when it has none or is malformed, 415 for an unknown media type. */
export function decodeRequestBody(
  { body }: Pick<ApiRequest, "body">,
  expected: ExpectedKind,
  options?: DecodeOptions,
): DecodedBody {
  if (body === undefined) throw missingBody();
  return decodeBody(body, expected, options);
}

/** Decodes a body; throws 400 when it is malformed, 415 for an unknown media type. */
export function decodeBody(
  body: RequestBody,
  expected: ExpectedKind,
  options: DecodeOptions = { validation: "Ignore" },
): DecodedBody {
  if (body.form === "value") return decoded(checkFields(body.value, expected, options), false);
  const reportDuplicates = options.validation !== "Ignore";
  const { value, duplicates, isProtobuf, isYaml } = readBody(body, { reportDuplicates });
  if (isProtobuf && isJsonObject(value)) {
    // Decoded by the schema table already: it has no unknown fields.
    return decoded(checkFields(value, expected, { ...options, known: value }), isProtobuf);
  }
  // A warning is about one key; an error has them all.
  const isOneError = isYaml === true && duplicates.length > 0 && options.validation === "Strict";
  const strictErrors = isOneError ? [yamlErrors(duplicates)] : duplicates;
  return decoded(checkFields(value, expected, { ...options, strictErrors }), isProtobuf);
}

function decoded({ object, warnings }: CheckedFields, isProtobuf: boolean): DecodedBody {
  return { object, warnings, isProtobuf };
}

/** How unknown fields are treated, and what need not be checked again. */
export interface DecodeOptions {
  readonly validation: FieldValidation;
  /** Found by the parser: duplicate fields. */
  readonly strictErrors?: readonly string[];
  /** The stored object: values that are identical to its own are not checked again, and stay shared with it. */
  readonly known?: JsonObject;
}

/** Checks JSON against kind and schema; unknown fields are dropped, reported or refused, as `validation` says. */
function checkFields(value: Json, expected: ExpectedKind, options: DecodeOptions): CheckedFields {
  const checked = checkedFields(value, expected, options);
  if (checked.ok) return checked;
  const { why, isWhole } = checked;
  if (isWhole === true) throw badRequest(why);
  const { kind, apiVersion } = isJsonObject(value) ? value : {};
  const sent = typeof apiVersion === "string" ? apiVersion : (expected.apiVersion ?? "");
  const version = JSON.stringify(sent.replace(/^.*\//, ""));
  const title = typeof kind === "string" ? kind : expected.kind;
  throw badRequest(`${title} in version ${version} cannot be handled as a ${expected.kind}: ${why}`);
}

/** Checks the result of a patch in the same way; throws 422, since the patch itself could be read. */
export function checkPatched(
  value: JsonObject,
  expected: ExpectedKind,
  options: DecodeOptions & { readonly patch: Json },
): CheckedFields {
  const checked = checkedFields(value, expected, options);
  if (checked.ok) return checked;
  throw invalidObject({ group: "", kind: "" }, "", [invalid("patch", shortened(options.patch), checked.why)]);
}

/** Decodes an object that a webhook patched; throws why it is none of the kind. */
export function decodePatched(value: JsonObject, expected: ExpectedKind, known: JsonObject): JsonObject {
  const checked = checkedFields(value, expected, { validation: "Ignore", known });
  if (checked.ok) return checked.object;
  throw badRequest(checked.why);
}

const shownCharacters = 1000;

/** A patch as text, but not all of a large one. */
function shortened(patch: Json): string {
  const text = JSON.stringify(patch);
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}...`;
}

/** The fields of an object that are known, and warnings about others. */
interface CheckedFields {
  readonly object: JsonObject;
  readonly warnings: readonly string[];
}

type FieldCheck =
  | ({ readonly ok: true } & CheckedFields)
  /** `isWhole`: the text needs no introduction. */
  | { readonly ok: false; readonly why: string; readonly isWhole?: boolean };

function checkedFields(
  sent: Json,
  expected: ExpectedKind,
  { validation, strictErrors: parserErrors = [], known }: DecodeOptions,
): FieldCheck {
  // Go decodes null into an object without fields.
  const value = sent ?? {};
  const otherKind = checkKind(value, expected);
  if (otherKind !== undefined) return otherKind;
  const read = expected.schema.decode(value, known);
  if (!read.ok) return { ok: false, why: read.error };
  const strictErrors = [...parserErrors, ...read.unknownFields];
  if (validation === "Strict" && strictErrors.length > 0)
    return { ok: false, why: `strict decoding error: ${strictErrors.join(", ")}` };
  const object = withReset(read.object, value);
  return { ok: true, object, warnings: validation === "Warn" ? strictErrors : [] };
}

/** An empty list of managed fields, which decoding drops like other empty lists, asks the server to forget them. */
function withReset(object: JsonObject, sent: Json): JsonObject {
  const metadata = isJsonObject(sent) ? sent["metadata"] : undefined;
  const managedFields = isJsonObject(metadata) ? metadata["managedFields"] : undefined;
  if (!Array.isArray(managedFields) || managedFields.length > 0) return object;
  return { ...object, metadata: { ...(object["metadata"] as JsonObject), managedFields: [] } };
}

function checkKind(value: Json, expected: ExpectedKind): Extract<FieldCheck, { ok: false }> | undefined {
  const { apiVersion, kind } = isJsonObject(value) ? value : {};
  if (typeof kind === "string" && kind !== "" && kind !== expected.kind)
    return { ok: false, why: "the kind in the data is another one" };
  const sent = typeof apiVersion === "string" ? apiVersion : "";
  const versions = [expected.apiVersion ?? sent, expected.olderVersion, ""];
  if (versions.includes(sent)) return undefined;
  const why = `the API version in the data (${sent}) does not match the expected API version (${expected.apiVersion})`;
  return { ok: false, why, isWhole: true };
}
