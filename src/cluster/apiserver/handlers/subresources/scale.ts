import { invalid } from "../../../../api/field-error.ts";
import type { Scale } from "../../../../api/generated/autoscaling-v1.ts";
import type { LabelSelector } from "../../../../api/generated/meta-v1.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../api/json.ts";
import { compileLabelMap, compileLabelSelector } from "../../../../api/labels/compile-label-selector.ts";
import { formatLabelSelection } from "../../../../api/labels/label-selector.ts";
import type { StoredJson } from "../../../store/store.ts";
import { checkPatched, decodePatched, decodeRequestBody } from "../../decoding/decode-body.ts";
import { applyPatch, isApply, readPatch } from "../../patch/apply-patch.ts";
import { withNameFromUrl } from "../../registry/name-from-url.ts";
import { metadataOf } from "../../registry/object-meta.ts";
import { pick } from "../../registry/pick-omit.ts";
import { checkHasReplicas, checkSetsReplicas, customScale } from "../../custom-resources/custom-scale.ts";
import { updateObject } from "../update.ts";
import { tableSchema } from "../../schema/table-schema.ts";
import type { ApiRequest } from "../../request/api-request.ts";
import type { ApiResponse } from "../../request/api-response.ts";
import { patchOptionsOf, type ParsedWriteOptions, writeOptionsOf } from "../../request/write-options.ts";
import type { ServerContext } from "../../server-context.ts";
import { invalidObject, missingBody, untypedConfiguration } from "../../status-errors.ts";
import { entriesOf, type FieldsEntry } from "../../managed-fields/fields-entry.ts";
import { leaf } from "../../managed-fields/field-set.ts";
import { scaleEntries, workloadEntries } from "../../managed-fields/scale-entries.ts";
import { fieldManagerOf } from "../../managed-fields/track-managed-fields.ts";
import { formatTime } from "../../../../api/time.ts";
import { apiVersionOf } from "../../../../api/resource.ts";
import { applyTo, readConfiguration } from "../apply.ts";
import { toServed } from "../../storage/served-object.ts";
import { requiredRecord } from "../../storage/convert-ahead.ts";
import { checkIsLatest } from "../../storage/stored-object.ts";
import type { ServedResource } from "../../served-resource.ts";
import type { Review } from "../../webhooks/webhook-review.ts";

const expected = { apiVersion: "autoscaling/v1", kind: "Scale", schema: tableSchema("autoscaling.v1.Scale") };

/** Handles a get of a Scale. */
export async function getScale(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { object } = toServed(request.resource, await requiredRecord(context, request));
  const scale = scaleIn(request, object);
  if (request.resource.scalePaths !== undefined) checkHasReplicas(scale, request.resource.scalePaths);
  return { kind: "value", code: 200, value: scale };
}

/** Handles an update of a Scale: sets `spec.replicas` and nothing else. */
export async function updateScale(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const options = writeOptionsOf(request.options, "UpdateOptions");
  const { object, warnings } = decodeRequestBody(request, expected, { validation: options.fieldValidation });
  const retry = (again: ApiRequest) => updateScale(context, again);
  return setReplicas(context, request, { scale: object, options, warnings, retry });
}

/** Handles a patch of a Scale. */
export async function patchScale(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  if (request.patch === undefined) throw missingBody();
  const options = patchOptionsOf(request.options, isApply(request.patch));
  if (isApply(request.patch)) return applyScale(context, request, options);
  const { object } = toServed(request.resource, await requiredRecord(context, request));
  const body = readPatch(request.patch, request.resource.isCustom !== true);
  const patched = applyPatch(scaleIn(request, object), body, expected.schema);
  const { object: scale, warnings } = checkPatched(patched, expected, {
    validation: options.fieldValidation,
    strictErrors: body.strictErrors,
    patch: body.value,
  });
  const retry = (again: ApiRequest) => patchScale(context, again);
  return setReplicas(context, request, { scale, options, warnings, retry });
}

/** Applies a Scale: the manager owns the replicas of the workload, by way of this subresource. */
async function applyScale(
  context: ServerContext,
  request: ApiRequest,
  options: ParsedWriteOptions,
): Promise<ApiResponse> {
  const { object } = toServed(request.resource, await requiredRecord(context, request));
  const { configuration, warnings } = readConfiguration(request, options.fieldValidation);
  const { resource } = request;
  const parent = entriesOf(object.metadata);
  if (isWithoutManager(resource, parent)) throw scaleWithoutVersion();
  const outcome = applyTo({
    expected,
    live: scaleIn(request, object),
    configuration,
    entries: scaleEntries(parent, replicasFields(resource)),
    by: { ...fieldManagerOf(request), apiVersion: expected.apiVersion },
    force: request.options.force === true,
    time: formatTime(context.clock.now()),
    reset: { "f:status": leaf },
    convert: (scale, [, to]) =>
      to === expected.apiVersion ? { structure: expected.schema.trackedStructure, object: scale } : undefined,
  });
  const { object: scale } = checkPatched(outcome.object, expected, {
    validation: "Ignore",
    patch: configuration,
  });
  const entries = workloadEntries(parent, outcome.entries, {
    apiVersion: apiVersionOf(resource),
    path: replicasFields(resource),
  });
  const retry = (again: ApiRequest) => patchScale(context, again);
  return setReplicas(context, request, { scale, options, warnings, entries, retry });
}

interface ScaleUpdate {
  readonly scale: JsonObject;
  /** The managed fields of the workload after an apply. */
  readonly entries?: readonly FieldsEntry[];
  readonly options: ParsedWriteOptions;
  readonly warnings: readonly string[];
  /** Handles the request anew, when another write comes in between. */
  readonly retry: (request: ApiRequest) => Promise<ApiResponse>;
}

async function setReplicas(
  context: ServerContext,
  request: ApiRequest,
  update: ScaleUpdate,
): Promise<ApiResponse> {
  const { resource } = request;
  const { options, warnings, retry } = update;
  const { dryRun } = options;
  const stored = await requiredRecord(context, request);
  const { object } = toServed(resource, stored);
  const sent = withNameFromUrl(update.scale, request);
  const review = context.webhooks.reviewOf(request, "UPDATE", { dryRun });
  const scale = review === undefined ? sent : await mutatedScale(review, sent, scaleIn(request, object));
  checkIsLatest(resource, stored.object.metadata, metadataOf(scale));
  const replicas = replicasIn(request, scale);
  if (replicas < 0 && resource.isCustom !== true)
    throw invalidObject({ group: "autoscaling", kind: "Scale" }, request.name ?? "", [
      invalid("spec.replicas", replicas, "must be greater than or equal to 0"),
    ]);
  const response = await updateObject(context, {
    request,
    stored,
    object: withValueAt(object, specReplicasNames(resource), replicas),
    ...entriesAfter(request, object, update),
    writable: "spec",
    dryRun,
    warnings,
    reviewed: { review, view: (version) => scaleIn(request, version as StoredJson) },
    retry,
  });
  if (response.kind !== "object") return response;
  const value = scaleIn(request, response.item.object);
  return { kind: "value", code: 200, value, warnings: response.warnings ?? [] };
}

/** upstream: a client that writes a Scale whose replicas have no field manager does not become their manager. */
function entriesAfter({ resource }: ApiRequest, object: StoredJson, { entries }: ScaleUpdate) {
  if (entries !== undefined) return { entries };
  const parent = entriesOf(object.metadata);
  return isWithoutManager(resource, parent) ? { entries: parent } : {};
}

function isWithoutManager(resource: ServedResource, entries: readonly FieldsEntry[]): boolean {
  return resource.isCustom === true && scaleEntries(entries, replicasFields(resource)).length === 0;
}

/** 500: upstream, a Scale without managers is taken for an object of the custom kind, which has no version of that name. */
function scaleWithoutVersion() {
  return untypedConfiguration(
    "failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, Kind=Scale) to " +
      "proper version: request to convert CR to an invalid group/version: autoscaling/v1",
  );
}

/** The Scale as mutating webhooks leave it. */
function mutatedScale(review: Review, scale: JsonObject, stored: JsonObject): Promise<JsonObject> {
  const { apiVersion, kind } = expected;
  return review.mutate({
    object: { ...scale, apiVersion, kind },
    oldObject: stored,
    reinvoke: (changed) => changed,
    complete: (patched) => decodePatched(patched, expected, scale),
  });
}

/** Returns the Scale of an object, by the fields of its kind. */
function scaleIn({ resource }: ApiRequest, object: StoredJson): JsonObject {
  const { scalePaths } = resource;
  return (scalePaths === undefined ? scaleOf(object) : customScale(object, scalePaths)) as JsonObject;
}

/** Returns the replicas that a Scale asks for; throws 400 if that is still open. */
function replicasIn({ resource }: ApiRequest, scale: JsonObject): number {
  if (resource.scalePaths !== undefined) checkSetsReplicas(scale, resource.scalePaths);
  return (scale as Scale).spec?.replicas ?? 0;
}

function specReplicasNames({ scalePaths }: ServedResource): readonly string[] {
  return (scalePaths?.specReplicasPath ?? ".spec.replicas").slice(1).split(".");
}

/** Returns the path of the replicas in sets of managed fields. */
function replicasFields(resource: ServedResource): readonly string[] {
  return specReplicasNames(resource).map((name) => `f:${name}`);
}

/** Returns an object with a value at a path; missing members on the path are created. */
function withValueAt(object: JsonObject, names: readonly string[], value: Json): JsonObject {
  const [name, ...rest] = names;
  if (name === undefined) return object;
  const inner = object[name];
  if (rest.length === 0) return { ...object, [name]: value };
  return { ...object, [name]: withValueAt(isJsonObject(inner) ? inner : {}, rest, value) };
}

/** The fields of a workload that a Scale shows. */
interface Scalable {
  readonly spec?: { readonly replicas?: number; readonly selector?: LabelSelector };
  readonly status?: { readonly replicas?: number };
}

/** The Scale of an object. */
export function scaleOf(object: StoredJson): Scale {
  const { spec = {}, status = {} } = object as Scalable;
  const selector = selectorText(object["kind"], spec.selector);
  return {
    kind: expected.kind,
    apiVersion: expected.apiVersion,
    metadata: pick(object.metadata, ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"]),
    spec: spec.replicas === undefined || spec.replicas === 0 ? {} : { replicas: spec.replicas },
    status: { replicas: status.replicas ?? 0, ...(selector !== "" && { selector }) },
  };
}

function selectorText(kind: unknown, selector: LabelSelector | undefined): string {
  // A ReplicationController's selector is a plain map.
  if (kind === "ReplicationController")
    return formatLabelSelection(compileLabelMap(selector as Readonly<Record<string, string>> | undefined));
  const compiled = compileLabelSelector(selector);
  return compiled.ok ? formatLabelSelection(compiled.selection) : "";
}
