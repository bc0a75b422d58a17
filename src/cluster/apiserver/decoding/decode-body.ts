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
  /** Whether a body has to name kind and version. */
  readonly isRequired?: boolean;
}

/** A decoded body. */
export interface DecodedBody {
  readonly object: JsonObject;
  readonly warnings: readonly string[];
  /** Whether the body is protobuf, which cannot carry the fields that Kubernetes does not have. */
  readonly isProtobuf: boolean;
}

/** Returns the kind that a body of a resource's object must have. */
export function expectedKindOf(
  resource: Resource & { readonly schema: KindSchema; readonly isCustom?: boolean },
): ExpectedKind {
  const { kind, schema, isCustom } = resource;
  return {
    apiVersion: apiVersionOf(resource),
    kind,
    schema,
    ...(isCustom === true && { isRequired: true }),
  };
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
    // The schema table decoded it, so it has no unknown fields.
    return decoded(checkFields(value, expected, { ...options, known: value }), isProtobuf);
  }
  // A warning is about one key; an error lists them all.
  const isOneError = isYaml === true && duplicates.length > 0 && options.validation === "Strict";
  const strictErrors = isOneError ? [yamlErrors(duplicates)] : duplicates;
  return decoded(checkFields(value, expected, { ...options, strictErrors }), isProtobuf);
}

function decoded({ object, warnings }: CheckedFields, isProtobuf: boolean): DecodedBody {
  return { object, warnings, isProtobuf };
}

/** Says how unknown fields are treated, and what need not be checked again. */
export interface DecodeOptions {
  readonly validation: FieldValidation;
  /** Errors that the parser found: duplicate fields. */
  readonly strictErrors?: readonly string[];
  /** The stored object: values that are identical to its own are not checked again, and stay shared with it. */
  readonly known?: JsonObject;
}

/** Checks JSON against kind and schema; `validation` says whether unknown fields are dropped, reported or refused. */
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

/** Checks the result of a patch; throws 422, since the patch itself could be read. */
export function checkPatched(
  value: JsonObject,
  expected: ExpectedKind,
  options: DecodeOptions & { readonly patch: Json },
): CheckedFields {
  const checked = checkedFields(value, expected, options);
  if (checked.ok) return checked;
  throw invalidObject({ group: "", kind: "" }, "", [invalid("patch", shortened(options.patch), checked.why)]);
}

/** Decodes an object that a webhook patched; throws why it is not an object of the kind. */
export function decodePatched(value: JsonObject, expected: ExpectedKind, known: JsonObject): JsonObject {
  const checked = checkedFields(value, expected, { validation: "Ignore", known });
  if (checked.ok) return checked.object;
  throw badRequest(checked.why);
}

const shownCharacters = 1000;

/** Returns a patch as text, shortened if it is large. */
function shortened(patch: Json): string {
  const text = JSON.stringify(patch);
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}...`;
}

/** The known fields of an object, and warnings about the others. */
interface CheckedFields {
  readonly object: JsonObject;
  readonly warnings: readonly string[];
}

type FieldCheck =
  | ({ readonly ok: true } & CheckedFields)
  /** `isWhole`: the text is a complete message. */
  | { readonly ok: false; readonly why: string; readonly isWhole?: boolean };

function checkedFields(
  sent: Json,
  expected: ExpectedKind,
  { validation, strictErrors: parserErrors = [], known }: DecodeOptions,
): FieldCheck {
  // As in Go, null decodes into an object without fields.
  const value = sent ?? {};
  const refusal = expected.isRequired === true ? checkNamed(value, expected) : checkKind(value, expected);
  if (refusal !== undefined) return refusal;
  const read = expected.schema.decode(value, known);
  if (!read.ok) return { ok: false, why: read.error };
  const strictErrors = [...parserErrors, ...read.unknownFields];
  if (validation === "Strict" && strictErrors.length > 0)
    return { ok: false, why: `strict decoding error: ${strictErrors.join(", ")}` };
  const object = withReset(read.object, value);
  return { ok: true, object, warnings: validation === "Warn" ? strictErrors : [] };
}

/** Keeps an empty list of managed fields, which resets them; decoding would drop it like other empty lists. */
function withReset(object: JsonObject, sent: Json): JsonObject {
  const metadata = isJsonObject(sent) ? sent["metadata"] : undefined;
  const managedFields = isJsonObject(metadata) ? metadata["managedFields"] : undefined;
  if (!Array.isArray(managedFields) || managedFields.length > 0) return object;
  return { ...object, metadata: { ...(object["metadata"] as JsonObject), managedFields: [] } };
}

const summaryLength = 30;

/**
 * Checks kind and version of a body that has to name them. Throws 422 when it names another kind, which upstream finds
 * only when it validates.
 */
function checkNamed(value: Json, expected: ExpectedKind): Extract<FieldCheck, { ok: false }> | undefined {
  const { apiVersion, kind = "", metadata } = isJsonObject(value) ? value : {};
  if (kind === "" || typeof kind !== "string") return missingKind(value, expected);
  if (apiVersion !== expected.apiVersion)
    return wrongVersion(typeof apiVersion === "string" ? apiVersion : "", expected);
  if (kind === expected.kind) return undefined;
  throw otherKind(metadata, kind, expected);
}

/** 422: the body is of another kind. */
function otherKind(metadata: Json | undefined, kind: string, expected: ExpectedKind) {
  const { name } = isJsonObject(metadata) ? metadata : {};
  const [group = ""] = expected.apiVersion?.split("/") ?? [];
  const shown = typeof name === "string" ? name : "";
  return invalidObject({ group, kind }, shown, [invalid("kind", kind, `must be ${expected.kind}`)]);
}

function missingKind(value: Json, { kind }: ExpectedKind): Extract<FieldCheck, { ok: false }> {
  const text = JSON.stringify(value);
  const summary = text.length > summaryLength ? `${text.slice(0, summaryLength)} ...` : text;
  const why =
    `the object provided is unrecognized (must be of type ${kind}): ` +
    `Object 'Kind' is missing in '${shortened(value)}' (${summary})`;
  return { ok: false, why, isWhole: true };
}

function checkKind(value: Json, expected: ExpectedKind): Extract<FieldCheck, { ok: false }> | undefined {
  const { apiVersion, kind } = isJsonObject(value) ? value : {};
  if (typeof kind === "string" && kind !== "" && kind !== expected.kind)
    return { ok: false, why: "the kind in the data is another one" };
  const sent = typeof apiVersion === "string" ? apiVersion : "";
  const versions = [expected.apiVersion ?? sent, expected.olderVersion, ""];
  if (versions.includes(sent)) return undefined;
  return wrongVersion(sent, expected);
}

function wrongVersion(sent: string, { apiVersion }: ExpectedKind): Extract<FieldCheck, { ok: false }> {
  const why = `the API version in the data (${sent}) does not match the expected API version (${apiVersion})`;
  return { ok: false, why, isWhole: true };
}
