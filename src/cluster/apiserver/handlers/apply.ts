import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import { parseJson, type ParsedJson } from "../../../api/parse-json.ts";
import { formatTime } from "../../../api/time.ts";
import type { StoredJson } from "../../store/store.ts";
import { checkPatched, type ExpectedKind, expectedKindOf } from "../decoding/decode-body.ts";
import { bodyText } from "../decoding/read-body.ts";
import { readYaml, yamlErrors } from "../decoding/read-yaml.ts";
import {
  type Application,
  applyConfiguration,
  type FieldConflict,
} from "../managed-fields/apply-configuration.ts";
import { conflictError } from "../managed-fields/conflict-error.ts";
import { configurationProblems } from "../managed-fields/check-configuration.ts";
import { difference, isEmptySet } from "../managed-fields/field-set.ts";
import { entriesOf, type FieldsEntry } from "../managed-fields/fields-entry.ts";
import { kubectl, lastAppliedFields, withLastApplied } from "../managed-fields/last-applied.ts";
import { resetFieldsOf } from "../managed-fields/reset-fields.ts";
import { fieldManagerOf, updaterEntries } from "../managed-fields/track-managed-fields.ts";
import { versionConverter } from "../registry/version-converter.ts";
import { createObject } from "./create.ts";
import { withNameFromUrl } from "../registry/name-from-url.ts";
import { metadataOf } from "../registry/object-meta.ts";
import { updateObject } from "./update.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { type FieldValidation, writeOptionsOf } from "../request/write-options.ts";
import type { ServerContext } from "../server-context.ts";
import {
  badRequest,
  conflict,
  invalidObject,
  missingBody,
  notFoundError,
  optimisticLockConflict,
  untypedConfiguration,
} from "../status-errors.ts";
import { currentRecord } from "../storage/convert-ahead.ts";
import { toServed } from "../storage/served-object.ts";

/** Handles a server-side apply of an object or its status: creates the object, or merges the configuration into it. */
export async function apply(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, name = "", subresource } = request;
  const { dryRun, fieldValidation } = writeOptionsOf(request.options, "PatchOptions");
  const found = currentRecord(context, request);
  const stored = found instanceof Promise ? await found : found;
  if (stored === undefined && subresource !== undefined) throw notFoundError(resource, name);
  const { configuration, warnings } = readConfiguration(request, fieldValidation);
  const previous = stored && toServed(resource, stored).object;
  const { object, entries } = appliedTo(context, request, { previous, configuration });
  checkVersion(request, object, previous);
  const retry = (again: ApiRequest) => apply(context, again);
  const write = { request, object, entries, dryRun, warnings, retry };
  if (stored === undefined) return createObject(context, write);
  return updateObject(context, {
    ...write,
    stored,
    writable: subresource === "status" ? "status" : "spec",
  });
}

/** Throws 409 when the configuration is for an object that is gone, or for another version of it. */
function checkVersion(
  { resource, name = "" }: ApiRequest,
  object: JsonObject,
  previous: StoredJson | undefined,
): void {
  const { uid = "", resourceVersion = "" } = metadataOf(object);
  if (previous === undefined && uid !== "") {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(resource, name, why);
  }
  if (
    previous !== undefined &&
    resourceVersion !== "" &&
    resourceVersion !== previous.metadata.resourceVersion
  )
    throw optimisticLockConflict(resource, name);
}

interface Sent {
  readonly configuration: JsonObject;
  readonly warnings: readonly string[];
}

/** Reads an applied configuration, which is YAML or JSON. Throws 400 when it is malformed. */
export function readConfiguration({ patch }: ApiRequest, validation: FieldValidation): Sent {
  if (patch?.form !== "bytes") throw missingBody();
  const parsed = yamlOrJson(bodyText(patch.bytes));
  if (!parsed.ok) throw badRequest(`error decoding YAML: ${parsed.error}`);
  const { value, duplicates } = parsed;
  if (!isJsonObject(value)) throw badRequest("error decoding YAML: the configuration is not an object");
  if (validation === "Strict" && duplicates.length > 0)
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${yamlErrors(duplicates)}`);
  return { configuration: value, warnings: validation === "Warn" ? duplicates : [] };
}

/**
 * Reads JSON as such, which takes a fraction of the time. Everything else is left to the YAML parser, and so is JSON
 * with a repeated field, so that the message is the one for YAML.
 */
function yamlOrJson(text: string): ParsedJson {
  const json = text.trimStart().startsWith("{") ? parseJson(text, { reportDuplicates: true }) : undefined;
  return json?.ok === true && json.duplicates.length === 0 ? json : readYaml(text);
}

interface Target {
  readonly previous: StoredJson | undefined;
  readonly configuration: JsonObject;
}

/** Returns the object after an apply, decoded, and its managed fields. */
function appliedTo(context: ServerContext, request: ApiRequest, { previous, configuration }: Target) {
  const { resource, subresource } = request;
  const expected = expectedKindOf(resource);
  const { apiVersion = "", kind } = expected;
  const live: JsonObject = previous ?? { apiVersion, kind, ...resource.schema.zero };
  const by = fieldManagerOf(request);
  const outcome = applyTo({
    expected,
    live,
    configuration,
    by,
    entries: previous === undefined ? [] : formerEntries(context, request, previous),
    force: request.options.force === true,
    time: formatTime(context.clock.now()),
    reset: resetFieldsOf(resource, subresource),
    convert: versionConverter(context.kinds, resource),
  });
  checkApplied(request, outcome.object);
  const merged = by.manager === kubectl ? withLastApplied(outcome.object, configuration) : outcome.object;
  const { object } = checkPatched(merged, expected, {
    validation: "Ignore",
    patch: configuration,
    known: live,
  });
  return { object: withNameFromUrl(object, request), entries: outcome.entries };
}

/** Throws 422 for an object that decoding would mend, in the part of it that the request writes. */
function checkApplied({ resource, name = "", subresource }: ApiRequest, object: JsonObject): void {
  const { status, ...main } = object;
  const isWhole = resource.strategy.ordinaryStatus === true;
  const ofStatus = status === undefined ? {} : { status };
  const written = subresource === "status" ? ofStatus : isWhole ? object : main;
  const problems = resource.schema.appliedProblems?.(written) ?? [];
  if (problems.length > 0) throw invalidObject(resource, name, problems);
}

const firstManager = "before-first-apply";

/**
 * Returns the stored entries; an object without any is attributed to an updater, so that an apply can conflict with it.
 */
function formerEntries(
  context: ServerContext,
  request: ApiRequest,
  previous: StoredJson,
): readonly FieldsEntry[] {
  const entries = entriesOf(previous.metadata);
  if (entries.length > 0) return entries;
  const { resource } = request;
  const by = { ...fieldManagerOf(request), manager: firstManager };
  return updaterEntries(context, { resource, by, object: previous });
}

type ConfigurationOf = Omit<Application, "structure"> & { readonly expected: ExpectedKind };

/** Applies a configuration to a live object; throws 400 or 500 when it does not fit the kind, 409 for conflicts. */
export function applyTo({ expected, ...application }: ConfigurationOf) {
  const { configuration, live, by } = application;
  checkConfiguration(configuration, expected);
  const whole = { ...application, structure: expected.schema.trackedStructure };
  const outcome = applyConfiguration(whole);
  if (outcome.ok) return outcome;
  const conflicts =
    by.manager === kubectl ? unexpected(outcome.conflicts, expected, live) : outcome.conflicts;
  const forced = conflicts.length > 0 ? undefined : applyConfiguration({ ...whole, force: true });
  if (forced?.ok !== true) throw conflictError(conflicts);
  return forced;
}

/** Returns the conflicts with managers other than client-side apply, whose fields kubectl takes over. */
function unexpected(
  conflicts: readonly FieldConflict[],
  { schema }: ExpectedKind,
  live: JsonObject,
): readonly FieldConflict[] {
  const allowed = lastAppliedFields(schema, live);
  return conflicts
    .map((each) => ({ ...each, fields: difference(each.fields, allowed) }))
    .filter(({ fields }) => !isEmptySet(fields));
}

function textIn(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

function checkConfiguration(
  configuration: JsonObject,
  { apiVersion = "", kind, schema }: ExpectedKind,
): void {
  const sentVersion = textIn(configuration, "apiVersion");
  const sentKind = textIn(configuration, "kind");
  // Upstream prints the core group as an empty text before the slash.
  const shown = `${sentVersion.includes("/") ? sentVersion : `/${sentVersion}`}, Kind=${sentKind}`;
  if (sentVersion !== apiVersion || sentKind !== kind) throw badRequest(`invalid object type: ${shown}`);
  const metadata = metadataOf(configuration);
  if ((metadata.managedFields ?? null) !== null) throw badRequest("metadata.managedFields must be nil");
  const problems = configurationProblems(schema.structure, configuration);
  if (problems.length === 0) return;
  const place = [textIn(metadata as JsonObject, "namespace"), textIn(metadata as JsonObject, "name")].join(
    "/",
  );
  const text =
    problems.length === 1
      ? problems.join("")
      : ["errors:", ...problems.map((each) => `  ${each}`)].join("\n");
  throw untypedConfiguration(`failed to create typed patch object (${place}; ${shown}): ${text}`);
}
