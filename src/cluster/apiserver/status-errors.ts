import { detailsCauses, type FieldError, fieldErrorsText } from "../../api/field-error.ts";
import type { Status, StatusCause, StatusDetails } from "../../api/generated/meta-v1.ts";
import { qualifiedKind, qualifiedName, type Resource } from "../../api/resource.ts";
import { ApiError } from "../../machinery/client/api-error.ts";

// Every "no" of the API server, in Kubernetes' words: clients compare reasons, and people know the sentences.

type GroupResource = Pick<Resource, "group" | "plural">;

interface StatusError {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: StatusDetails;
  readonly metadata?: Status["metadata"];
}

function statusError({ code, reason, message, details, metadata = {} }: StatusError): ApiError {
  return new ApiError({
    kind: "Status",
    apiVersion: "v1",
    metadata,
    status: "Failure",
    message,
    reason,
    ...(details !== undefined && { details }),
    code,
  });
}

function detailsOf(resource: GroupResource, name: string, causes?: readonly StatusCause[]): StatusDetails {
  return {
    ...(name !== "" && { name }),
    ...(resource.group !== "" && { group: resource.group }),
    kind: resource.plural,
    ...(causes !== undefined && { causes }),
  };
}

const subject = (resource: GroupResource, name: string) =>
  name === "" ? qualifiedName(resource) : `${qualifiedName(resource)} ${JSON.stringify(name)}`;

/** A request that cannot be understood. */
export const badRequest = (message: string): ApiError =>
  statusError({ code: 400, reason: "BadRequest", message });

/** Nobody knows who asks. */
export const unauthorized = (): ApiError =>
  statusError({ code: 401, reason: "Unauthorized", message: "Unauthorized" });

/** A request for an object that is understood, and not allowed. */
export function forbiddenRequest(
  resource: GroupResource,
  name: string,
  { why, causes }: { readonly why: string; readonly causes?: readonly StatusCause[] },
): ApiError {
  const message = `${subject(resource, name)} is forbidden: ${why}`;
  return statusError({ code: 403, reason: "Forbidden", message, details: detailsOf(resource, name, causes) });
}

/** A refusal that is about no object. */
export const forbiddenAccess = (message: string): ApiError =>
  statusError({ code: 403, reason: "Forbidden", message: `forbidden: ${message}`, details: {} });

/** An object that is not there. */
export const notFound = (resource: GroupResource, name: string): ApiError =>
  statusError({
    code: 404,
    reason: "NotFound",
    message: `${subject(resource, name)} not found`,
    details: detailsOf(resource, name),
  });

/** For a path that leads nowhere. */
export const noSuchPath = (): ApiError =>
  statusError({
    code: 404,
    reason: "NotFound",
    message: "the server could not find the requested resource",
    details: {},
  });

/** A resource that cannot be treated like this. */
export const methodNotAllowed = (resource: GroupResource, verb: string): ApiError =>
  statusError({
    code: 405,
    reason: "MethodNotAllowed",
    message: `${verb} is not supported on resources of kind ${JSON.stringify(qualifiedName(resource))}`,
    details: detailsOf(resource, ""),
  });

/** No form of answer that the client would take. */
export const notAcceptable = (): ApiError =>
  statusError({
    code: 406,
    reason: "NotAcceptable",
    message: "only the following media types are accepted: application/json, application/yaml",
  });

/** A name that is taken. */
export const alreadyExists = (resource: GroupResource, name: string, prefix = ""): ApiError =>
  statusError({
    code: 409,
    reason: "AlreadyExists",
    message: `${prefix}${subject(resource, name)} already exists`,
    details: detailsOf(resource, name),
  });

/** All generated names were taken. */
export const noUniqueName = (resource: GroupResource, name: string): ApiError =>
  statusError({
    code: 409,
    reason: "AlreadyExists",
    message: `${subject(resource, name)} already exists, the server was not able to generate a unique name for the object`,
    details: detailsOf(resource, name),
  });

/** A request that does not fit the state of its object. */
export const conflict = (resource: GroupResource, name: string, why: string): ApiError =>
  statusError({
    code: 409,
    reason: "Conflict",
    message: `Operation cannot be fulfilled on ${subject(resource, name)}: ${why}`,
    details: detailsOf(resource, name),
  });

/** Someone else wrote since the client read. */
export const optimisticLockConflict = (resource: GroupResource, name: string): ApiError =>
  conflict(
    resource,
    name,
    "the object has been modified; please apply your changes to the latest version and try again",
  );

/** The revision asked for is gone; `continueToken` goes on at the newest one. */
export const resourceExpired = (message: string, continueToken?: string): ApiError =>
  statusError({
    code: 410,
    reason: "Expired",
    message,
    ...(continueToken !== undefined && { metadata: { continue: continueToken } }),
  });

/** A body, or what a patch would make of it, beyond the limit. */
export const requestEntityTooLarge = (message: string): ApiError =>
  statusError({
    code: 413,
    reason: "RequestEntityTooLarge",
    message: `Request entity too large: ${message}`,
  });

/** A body in an encoding that is none of these. */
export const unsupportedMediaType = (accepted: readonly string[]): ApiError =>
  statusError({
    code: 415,
    reason: "UnsupportedMediaType",
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
  });

/** The one kind of patch that is not there yet. */
export const applyNotSupported = (): ApiError =>
  statusError({
    code: 415,
    reason: "UnsupportedMediaType",
    message: "server-side apply is not supported yet: use client-side apply, or a merge patch",
  });

/** A resource that is known, and that this server does not do. */
export const notSupportedYet = (resource: GroupResource, what: string): ApiError =>
  statusError({
    code: 405,
    reason: "MethodNotAllowed",
    message: `${what} ${qualifiedName(resource)} is not supported yet`,
    details: detailsOf(resource, ""),
  });

/** What an object is refused for, field by field; the one failure that names the Kind and not the collection. */
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
      kind: kind.kind,
      causes: detailsCauses(errors),
    },
  });
}

/** A request that is understood and cannot be carried out on this object, such as a patch that does not fit. */
export const unprocessable = (message: string): ApiError =>
  statusError({ code: 422, reason: "Invalid", message });

/** Not now: the client is to come back after so many seconds. */
export const tooManyRequests = (
  message: string,
  retryAfterSeconds: number,
  causes?: readonly StatusCause[],
): ApiError =>
  statusError({
    code: 429,
    reason: "TooManyRequests",
    message,
    details: { ...(causes !== undefined && { causes }), retryAfterSeconds },
  });

/** Something went wrong that is not the client's fault. */
export const internalError = (message: string): ApiError =>
  statusError({
    code: 500,
    reason: "InternalError",
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  });

/** What took longer than anyone waits. */
export const timedOut = (message: string): ApiError =>
  statusError({ code: 504, reason: "Timeout", message: `Timeout: ${message}` });

/** A request from the future: the revision has not happened yet. */
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
