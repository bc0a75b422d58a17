import { extended } from "../../../api/extended.ts";
import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import type { StrategyContext } from "../kinds/kind-strategy.ts";
import { repeatedOwnerWarnings } from "../kinds/object-meta/owner-references.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import { formatTime } from "../../../api/time.ts";
import { nameSuffix, newUid } from "../../../machinery/random/identifiers.ts";
import type { StoreRecord } from "../../store/store.ts";
import { commitWithinQuotas } from "../admission/commit-admitted.ts";
import { admitCreate, checkNamespace } from "../admission/run-admission.ts";
import { decodePatched, expectedKindOf } from "../decoding/decode-body.ts";
import type { FieldsEntry } from "../managed-fields/fields-entry.ts";
import { withCreator, withManagedFieldsOf } from "../managed-fields/track-managed-fields.ts";
import { notRunWarnings } from "../not-run-warnings.ts";
import { type ApiRequest, nextAttempt } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import type { ServedResource } from "../served-resource.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { alreadyExists, invalidObject, noUniqueName } from "../status-errors.ts";
import { storeKey } from "../storage/commit.ts";
import { requestKey } from "../storage/stored-object.ts";
import type { Review } from "../webhooks/webhook-review.ts";
import { allocateForService } from "./allocate-for-service.ts";
import { withNameFromUrl } from "./name-from-url.ts";
import { metadataOf, withHead, withMetadata, withoutServerFields } from "./object-meta.ts";
import { omit } from "./pick-omit.ts";

/** A create that is decoded. */
export interface Creation {
  readonly request: ApiRequest;
  /** Decoded, of the resource's kind. */
  readonly object: JsonObject;
  /** The managed fields of an object that is applied; otherwise the requester owns all fields. */
  readonly entries?: readonly FieldsEntry[];
  readonly dryRun: boolean;
  readonly warnings: readonly string[];
  /** Handles the request anew: another one created the object while webhooks were asked. Absent: 409 AlreadyExists. */
  readonly retry?: (request: ApiRequest) => Promise<ApiResponse>;
}

const nameAttempts = 8;
/** A generated name has at most 63 characters, of which the last five are random. */
const maxGeneratedBaseLength = 58;

/**
 * Creates an object: defaults, admission, system fields, validation, commit. All in the turn of the call, unless webhooks
 * match: what was read before they were asked is checked again then.
 */
export async function createObject(context: ServerContext, creation: Creation): Promise<ApiResponse> {
  const { request, dryRun } = creation;
  const { resource } = request;
  const occasion = { gates: context.gates(), now: context.clock.now() };
  const draft = withCreator(context, creation, draftOf(request, creation.object));
  const review = context.webhooks.reviewOf(request, "CREATE", { name: metadataOf(draft).name ?? "", dryRun });
  const plain = admitCreate(context, request, draft);
  const admitted = review === undefined ? plain : await mutated(context, request, { review, object: plain });
  const object = completed(context, resource, { object: admitted, occasion });
  if (review !== undefined) await approved(context, request, { review, object });
  const existing = collectionOf(context, resource).get(storeKey(object));
  if (existing !== undefined) return retried(creation, existing);
  const { item, durable } = commitWithinQuotas(context, { resource, object, dryRun });
  await durable;
  const warnings = [
    ...creation.warnings,
    ...repeatedOwnerWarnings(creation.object),
    ...(review?.warnings ?? []),
    ...strategyWarnings(resource, { admitted, object, occasion }),
    ...notRunWarnings(context, resource, object),
  ];
  return { kind: "object", code: 201, item, warnings };
}

function strategyWarnings(
  { strategy }: ServedResource,
  { admitted, object, occasion }: Completion & { readonly admitted: JsonObject },
): readonly string[] {
  return [
    ...(strategy.warningsAboutSent?.(admitted) ?? []),
    ...(strategy.warnings?.(object, occasion) ?? []),
  ];
}

/** An object, and what its strategy may know besides. */
interface Completion {
  readonly object: JsonObject;
  readonly occasion: StrategyContext;
}

/** The admitted object as it will be stored; throws 422 when it is invalid. */
function completed(
  context: ServerContext,
  resource: ServedResource,
  { object, occasion }: Completion,
): JsonObject {
  const { strategy } = resource;
  const identified = withIdentity(context, resource, object);
  const prepared = strategy.prepareForCreate?.(identified, occasion) ?? identified;
  const next = withInitialStatus(resource, prepared);
  const whole = allocateForService(context, resource, { next });
  const errors = strategy.validate?.(whole, occasion) ?? [];
  if (errors.length === 0) return whole;
  const error = invalidObject(resource, metadataOf(whole).name ?? "", errors);
  throw error.withWarnings(strategy.warningsAboutSent?.(object) ?? []);
}

/** What webhooks work on. */
interface Reviewed {
  readonly review: Review;
  readonly object: JsonObject;
}

/** Asks the validating webhooks; then checks again what may have changed meanwhile. */
async function approved(
  context: ServerContext,
  request: ApiRequest,
  { review, object }: Reviewed,
): Promise<void> {
  await review.validate({ object });
  checkNamespace(context, request);
  allocateForService(context, request.resource, { next: object });
}

/** The object as mutating webhooks leave it. */
function mutated(
  context: ServerContext,
  request: ApiRequest,
  { review, object }: Reviewed,
): Promise<JsonObject> {
  const expected = expectedKindOf(request.resource);
  return review.mutate({
    object,
    reinvoke: (changed) => admitCreate(context, request, changed),
    complete: (patched) =>
      withManagedFieldsOf(object, draftOf(request, decodePatched(patched, expected, object))),
  });
}

/** What the client sent, without system fields, with the defaults of its kind. */
function draftOf(request: ApiRequest, object: JsonObject): JsonObject {
  const { resource } = request;
  const { strategy } = resource;
  const named = withNameFromUrl(object, request);
  const draft = withHead(resource, named, withoutServerFields(metadataOf(named)));
  const plain = strategy.keepsStatusOnCreate === true ? draft : omit(draft, ["status"]);
  return strategy.defaults?.(plain) ?? plain;
}

/** The object with the members of `status` that are stored from the start. */
function withInitialStatus({ schema }: ServedResource, object: JsonObject): JsonObject {
  const zero = schema.initialStatus;
  if (zero === undefined) return object;
  const { status } = object;
  if (isJsonObject(status) && Object.keys(zero).every((name) => name in status)) return object;
  return extended(object, { status: { ...zero, ...(isJsonObject(status) && status) } });
}

function withIdentity(context: ServerContext, resource: ServedResource, object: JsonObject): JsonObject {
  const metadata = metadataOf(object);
  const { name = "", generateName = "" } = metadata;
  const isGenerated = name === "" && generateName !== "";
  const identified = withMetadata(
    object,
    extended(metadata, {
      ...(isGenerated && { name: generatedName(context, resource, object) }),
      uid: newUid(isRole(resource, name) ? context.accessRandom : context.random),
      ...(resource.strategy.generation !== undefined && { generation: 1 }),
      creationTimestamp: formatTime(context.clock.now()),
    }),
  );
  // The defaults of a namespace label it with its name, which is known only now; those of the spec are there.
  return isGenerated ? (resource.strategy.defaults?.(identified, object) ?? identified) : identified;
}

/**
 * Roles and bindings draw from a stream of their own, so that the rest of a recorded run does not depend on which of them
 * a cluster has; but for cluster-admin, which recorded runs have had from the start.
 */
function isRole({ group }: ServedResource, name: string): boolean {
  return group === "rbac.authorization.k8s.io" && name !== "cluster-admin";
}

function generatedName(context: ServerContext, resource: ServedResource, object: JsonObject): string {
  const metadata = metadataOf(object);
  const base = (metadata.generateName ?? "").slice(0, maxGeneratedBaseLength);
  let name = "";
  for (let attempt = 0; attempt < nameAttempts; attempt++) {
    name = `${base}${nameSuffix(context.random)}`;
    const key = requestKey({ namespace: metadata.namespace, name });
    if (collectionOf(context, resource).get(key) === undefined) return name;
  }
  throw noUniqueName(resource, name);
}

/** An apply is merged into an object that another request created meanwhile; throws 409 for all other creates. */
function retried({ request, retry }: Creation, { object }: StoreRecord): Promise<ApiResponse> {
  const next = nextAttempt(request);
  if (retry !== undefined && next !== undefined) return retry(next);
  const prefix = isBeingDeleted(object) ? "object is being deleted: " : "";
  throw alreadyExists(request.resource, object.metadata.name, prefix);
}
