import type { JsonObject } from "../../../api/json.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import { ApiError } from "../../../machinery/client/api-error.ts";
import type { StoreRecord } from "../../store/store.ts";
import { commitWithinQuotas } from "../admission/commit-admitted.ts";
import { admitCreate, checkNamespace } from "../admission/run-admission.ts";
import { decodePatched, decodeRequestBody, expectedKindOf } from "../decoding/decode-body.ts";
import { repeatedOwnerWarnings } from "../kinds/object-meta/owner-references.ts";
import type { FieldsEntry } from "../managed-fields/fields-entry.ts";
import { withCreator, withManagedFieldsOf } from "../managed-fields/track-managed-fields.ts";
import { notRunWarnings } from "../not-run-warnings.ts";
import { allocateForService } from "../registry/allocate-for-service.ts";
import { completedObject, type CompletionInput, newDraft, validateNew } from "../registry/new-object.ts";
import { metadataOf } from "../registry/object-meta.ts";
import { type ApiRequest, nextAttempt } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import { writeOptionsOf } from "../request/write-options.ts";
import type { ServedResource } from "../served-resource.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { alreadyExists, badRequest, forbiddenRequest } from "../status-errors.ts";
import { storeKey } from "../storage/commit.ts";
import { writeAhead } from "../storage/convert-ahead.ts";
import type { Review } from "../webhooks/webhook-review.ts";

/** Handles a create. */
export async function create(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource } = request;
  const { dryRun, fieldValidation } = writeOptionsOf(request.options, "CreateOptions");
  const { object, warnings } = decodeRequestBody(request, expectedKindOf(resource), {
    validation: fieldValidation,
  });
  const { resourceVersion = "" } = metadataOf(object);
  // upstream: the storage refuses it, which a dry run does not reach
  if (resourceVersion !== "" && !dryRun)
    throw badRequest("resourceVersion should not be set on objects to be created");
  return createObject(context, { request, object, dryRun, warnings });
}

/** A decoded create: a POST, or an apply or PUT of an object that does not exist. */
export interface ObjectCreation {
  readonly request: ApiRequest;
  /** Decoded, of the resource's kind. */
  readonly object: JsonObject;
  /** The managed fields of an object that is applied; otherwise the requester owns all fields. */
  readonly entries?: readonly FieldsEntry[];
  readonly dryRun: boolean;
  readonly warnings: readonly string[];
  /**
   * Handles the request again when another request created the object while webhooks were called. Absent: 409
   * AlreadyExists.
   */
  readonly retry?: (request: ApiRequest) => Promise<ApiResponse>;
}

/**
 * Creates an object: defaults, admission, system fields, validation, commit. All of it happens in the turn of the call,
 * unless webhooks match or rules take long: then what was read before they were called is checked again.
 */
export function createObject(context: ServerContext, creation: ObjectCreation): Promise<ApiResponse> {
  const created = createDecoded(context, creation);
  return creation.warnings.length === 0 ? created : created.catch(refusing(creation.warnings));
}

async function createDecoded(context: ServerContext, creation: ObjectCreation): Promise<ApiResponse> {
  const { request, dryRun } = creation;
  const { resource } = request;
  const occasion = { gates: context.gates(), now: context.clock.now(), requester: request.user };
  checkAcceptsObjects(resource, metadataOf(creation.object).name ?? request.name ?? "");
  const draft = withCreator(context, creation, newDraft(request, creation.object));
  const review = context.webhooks.reviewOf(request, "CREATE", { name: metadataOf(draft).name ?? "", dryRun });
  const plain = admitCreate(context, request, draft);
  const admitted = review === undefined ? plain : await mutated(context, request, { review, object: plain });
  const object = completedObject(context, resource, { object: admitted, occasion });
  const sentWarnings = [...creation.warnings, ...repeatedOwnerWarnings(creation.object)];
  const approval = approved(context, request, { object, sent: admitted, occasion, review, sentWarnings });
  const warnings = approval instanceof Promise ? await approval : approval;
  const existing = collectionOf(context, resource).get(storeKey(object));
  if (existing !== undefined) return retried(creation, { existing, warnings });
  const { item, durable } = committed(context, { resource, object, dryRun }, warnings);
  await durable;
  return {
    kind: "object",
    code: 201,
    item,
    warnings: [...warnings, ...notRunWarnings(context, resource, object)],
  };
}

interface Approval extends CompletionInput {
  /** The object as it was before the system fields were set. */
  readonly sent: JsonObject;
  readonly review: Review | undefined;
  readonly sentWarnings: readonly string[];
}

/**
 * Validates an object, lets webhooks review it and converts it ahead; returns the warnings. It is a promise if any of that
 * took more than the turn of the call: then what may have changed meanwhile has been checked again.
 */
function approved(
  context: ServerContext,
  request: ApiRequest,
  approval: Approval,
): readonly string[] | Promise<readonly string[]> {
  const { resource } = request;
  const validation = validateNew(context, resource, approval);
  const { review, sentWarnings } = approval;
  if (validation instanceof Promise || review !== undefined || resource.conversion?.ahead !== undefined)
    return approvedLater(context, request, { ...approval, validation });
  return [...sentWarnings, ...validation, ...strategyWarnings(resource, approval)];
}

async function approvedLater(
  context: ServerContext,
  request: ApiRequest,
  approval: Approval & { readonly validation: ReturnType<typeof validateNew> },
): Promise<readonly string[]> {
  const { review, sentWarnings, validation } = approval;
  const further = await validation;
  const ofValid = [...further, ...strategyWarnings(request.resource, approval)];
  // A valid object that is refused gets them, too.
  await reviewed(context, request, approval).catch(refusing([...sentWarnings, ...ofValid]));
  return [...sentWarnings, ...(review?.warnings ?? []), ...ofValid];
}

async function reviewed(
  context: ServerContext,
  request: ApiRequest,
  { object, review }: Approval,
): Promise<void> {
  if (review !== undefined) await review.validate({ object });
  await writeAhead(request.resource, object);
  checkAgain(context, request, object);
}

/** Commits a new object; a quota that refuses it does so with its warnings. */
function committed(
  context: ServerContext,
  write: Parameters<typeof commitWithinQuotas>[1],
  warnings: readonly string[],
): ReturnType<typeof commitWithinQuotas> {
  try {
    return commitWithinQuotas(context, write);
  } catch (error) {
    return refusing(warnings)(error);
  }
}

/** Throws the refusal of a request, with its warnings; other errors as they are. */
export const refusing =
  (warnings: readonly string[]) =>
  (error: unknown): never => {
    throw error instanceof ApiError ? error.withWarnings(warnings) : error;
  };

/** Throws 403 when objects of the kind are being deleted with it. */
function checkAcceptsObjects(resource: ServedResource, name: string): void {
  if (resource.isTerminating !== true) return;
  const why = "create not allowed while custom resource definition is terminating";
  throw forbiddenRequest(resource, name, { why });
}

function strategyWarnings(
  { strategy }: ServedResource,
  { sent, object, occasion }: Approval,
): readonly string[] {
  return [...(strategy.warningsAboutSent?.(sent) ?? []), ...(strategy.warnings?.(object, occasion) ?? [])];
}

/** The object that webhooks review, and their review. */
interface Reviewed {
  readonly review: Review;
  readonly object: JsonObject;
}

/** Returns the object as mutating webhooks leave it. */
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
      withManagedFieldsOf(object, newDraft(request, decodePatched(patched, expected, object))),
  });
}

/** Checks again what may have changed while webhooks were called or rules evaluated. */
function checkAgain(context: ServerContext, request: ApiRequest, object: JsonObject): void {
  checkNamespace(context, request);
  allocateForService(context, request.resource, { next: object });
}

/** Merges an apply into an object that another request created meanwhile; throws 409 for all other creates. */
function retried(
  { request, retry }: ObjectCreation,
  {
    existing: { object },
    warnings,
  }: { readonly existing: StoreRecord; readonly warnings: readonly string[] },
): Promise<ApiResponse> {
  const next = nextAttempt(request);
  if (retry !== undefined && next !== undefined) return retry(next);
  const prefix = isBeingDeleted(object) ? "object is being deleted: " : "";
  throw alreadyExists(request.resource, object.metadata.name, prefix).withWarnings(warnings);
}
