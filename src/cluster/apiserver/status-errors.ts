import { detailsCauses, type FieldError, fieldErrorsText } from "../../api/field-error.ts";
import type { StatusCause } from "../../api/generated/meta-v1.ts";
import { qualifiedKind, qualifiedName, type Resource } from "../../api/resource.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import { detailsOf, type GroupResource, statusError, subject } from "./status-error.ts";

// The errors of the API server, with Kubernetes' reasons, which clients compare, and its messages, which users know.

/** 400: the request is malformed. */
export const badRequest = (message: string, options?: ErrorOptions): ApiError =>
  statusError({ code: 400, reason: "BadRequest", message }, options);

/** 400: the request needs a body. */
export const missingBody = (): ApiError => badRequest("the request has no body");

/** 401: the request is not authenticated. */
export const unauthorized = (): ApiError =>
  statusError({ code: 401, reason: "Unauthorized", message: "Unauthorized" });

/** 403: the request for an object is not allowed. */
export function forbiddenRequest(
  resource: GroupResource,
  name: string,
  { why, causes }: { readonly why: string; readonly causes?: readonly StatusCause[] },
): ApiError {
  const message = `${subject(resource, name)} is forbidden: ${why}`;
  return statusError({ code: 403, reason: "Forbidden", message, details: detailsOf(resource, name, causes) });
}

/** 403: the request, which names no object, is not allowed. */
export const forbiddenAccess = (message: string): ApiError =>
  statusError({ code: 403, reason: "Forbidden", message: `forbidden: ${message}`, details: {} });

/** 404: there is no such object. */
export const notFoundError = (resource: GroupResource, name: string): ApiError =>
  statusError({
    code: 404,
    reason: "NotFound",
    message: `${subject(resource, name)} not found`,
    details: detailsOf(resource, name),
  });

/** 404: there is no such path. */
export const noSuchPath = (): ApiError =>
  statusError({
    code: 404,
    reason: "NotFound",
    message: "the server could not find the requested resource",
    details: {},
  });

/** 405: the path is there, but not for this verb. */
export const methodNotAllowed = (): ApiError =>
  statusError({
    code: 405,
    reason: "MethodNotAllowed",
    message: "the server does not allow this method on the requested resource",
    details: {},
  });

/** 404: nothing is served at the path; the answer is plain text. */
export class PageNotFound extends ApiError {
  constructor() {
    super(noSuchPath().status);
  }
}

/** 405: the subresource of a custom kind has no such verb. */
export const unsupportedVerb = (resource: GroupResource, verb: string): ApiError =>
  statusError({
    code: 405,
    reason: "MethodNotAllowed",
    message: `${verb} is not supported on resources of kind ${JSON.stringify(qualifiedName(resource))}`,
    details: detailsOf(resource, ""),
  });

/** 405: the resource is in the schema, but not supported yet. */
export const notSupportedYet = (resource: GroupResource, what: string): ApiError =>
  statusError({
    code: 405,
    reason: "MethodNotAllowed",
    message: `${what} ${qualifiedName(resource)} is not supported yet`,
    details: detailsOf(resource, ""),
  });

/** 406: the client accepts none of the media types of responses. */
export const notAcceptable = (): ApiError =>
  statusError({
    code: 406,
    reason: "NotAcceptable",
    message: "only the following media types are accepted: application/json, application/yaml",
  });

/** 409: the name is taken. */
export const alreadyExists = (resource: GroupResource, name: string, prefix = ""): ApiError =>
  statusError({
    code: 409,
    reason: "AlreadyExists",
    message: `${prefix}${subject(resource, name)} already exists`,
    details: detailsOf(resource, name),
  });

/** 409: every generated name was taken. */
export const noUniqueName = (resource: GroupResource, name: string): ApiError =>
  statusError({
    code: 409,
    reason: "AlreadyExists",
    message: `${subject(resource, name)} already exists, the server was not able to generate a unique name for the object`,
    details: detailsOf(resource, name),
  });

/** 409: the request conflicts with the state of the object. */
export const conflict = (resource: GroupResource, name: string, why: string): ApiError =>
  statusError({
    code: 409,
    reason: "Conflict",
    message: `Operation cannot be fulfilled on ${subject(resource, name)}: ${why}`,
    details: detailsOf(resource, name),
  });

/** 409: the object was modified after the client read it. */
export const optimisticLockConflict = (resource: GroupResource, name: string): ApiError =>
  conflict(
    resource,
    name,
    "the object has been modified; please apply your changes to the latest version and try again",
  );

/** 409: an applied configuration would change fields of other managers. */
export const applyConflict = (message: string, causes: readonly StatusCause[]): ApiError =>
  statusError({ code: 409, reason: "Conflict", message, details: { causes } });

/** 410: the revision is no longer kept; `continueToken` continues at the newest one. */
export const resourceExpired = (message: string, continueToken?: string): ApiError =>
  statusError({
    code: 410,
    reason: "Expired",
    message,
    ...(continueToken !== undefined && { metadata: { continue: continueToken } }),
  });

/** 413: the body, or the object to store, exceeds the limit. */
export const requestEntityTooLarge = (message: string): ApiError =>
  statusError({
    code: 413,
    reason: "RequestEntityTooLarge",
    message: `Request entity too large: ${message}`,
  });

/** 415: the media type of the body is not supported. */
export const unsupportedMediaType = (accepted: readonly string[]): ApiError =>
  statusError({
    code: 415,
    reason: "UnsupportedMediaType",
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
  });

/** 422: the object is invalid, field by field; its details name the kind, all others name the resource. */
export function invalidObject(
  kind: Pick<Resource, "group" | "kind">,
  name: string,
  errors: readonly FieldError[],
): ApiError {
  return statusError({
    code: 422,
    reason: "Invalid",
    message: `${qualifiedKind(kind)} ${JSON.stringify(name)} is invalid: ${fieldErrorsText(errors)}`,
    details: {
      ...(name !== "" && { name }),
      ...(kind.group !== "" && { group: kind.group }),
      ...(kind.kind !== "" && { kind: kind.kind }),
      causes: detailsCauses(errors),
    },
  });
}

/** 422: the request cannot be applied to the object, such as a patch that does not fit. */
export const unprocessable = (message: string): ApiError =>
  statusError({ code: 422, reason: "Invalid", message });

/** 429: the client has to retry after so many seconds. */
export const tooManyRequests = (
  message: string,
  retryAfterSeconds: number,
  causes?: readonly StatusCause[],
): ApiError =>
  statusError({
    code: 429,
    reason: "TooManyRequests",
    message,
    details: {
      ...(causes !== undefined && { causes }),
      ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
    },
  });

/** 500: the server failed. */
export const internalError = (message: string): ApiError =>
  statusError({
    code: 500,
    reason: "InternalError",
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  });

/** 500 without a reason, as upstream: an applied configuration does not fit the schema. */
export const untypedConfiguration = (message: string): ApiError =>
  statusError({ code: 500, reason: "", message });

/** 501: what is asked for is not simulated; the sentence says what is. Not retried by clients. */
export const notImplemented = (message: string): ApiError =>
  statusError({ code: 501, reason: "NotImplemented", message });

/** 503: what would answer is not there, or not yet. With a number of seconds, clients try again after them. */
export const serviceUnavailable = (message: string, retryAfterSeconds?: number): ApiError =>
  statusError({
    code: 503,
    reason: "ServiceUnavailable",
    message,
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
  });

/** 504: the request timed out. */
export const timedOut = (message: string): ApiError =>
  statusError({ code: 504, reason: "Timeout", message: `Timeout: ${message}` });

/** 504: the revision does not exist yet. */
export const tooLargeResourceVersion = (wanted: number, current: number): ApiError =>
  statusError({
    code: 504,
    reason: "Timeout",
    message: `Timeout: Too large resource version: ${wanted}, current: ${current}`,
    details: {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    },
  });

/** 507: the memory or the disk that the server may use is nearly full. Not retried by clients, unlike 429 and 503: users have to act. */
export const insufficientStorage = (message: string): ApiError =>
  statusError({ code: 507, reason: "InsufficientStorage", message: `Insufficient storage: ${message}` });
