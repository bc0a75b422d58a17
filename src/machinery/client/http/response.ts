import type { Status } from "../../../api/generated/meta-v1.ts";
import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import type { Draft, StoredObject } from "../../../api/object.ts";
import { apiVersionOf, type Resource } from "../../../api/resource.ts";
import { ApiError } from "../api-error.ts";
import type { ListResult } from "../client.ts";
import { parseWithoutManagedFields } from "./omit-managed-fields.ts";
import type { OutgoingRequest } from "./request.ts";

/** The body of a successful response. */
export function parseResponse(request: OutgoingRequest, text: string): JsonObject {
  let body: unknown;
  try {
    // Callers that read only metadata skip managed fields.
    body = request.accept === undefined ? JSON.parse(text) : parseWithoutManagedFields(text);
  } catch (error) {
    // Converts the exception of JSON.parse.
    throw new Error(`${describeRequest(request)}: the answer is not JSON: ${excerpt(text)}`, {
      cause: error,
    });
  }
  if (!isJsonObject(body)) throw new Error(`${describeRequest(request)}: the answer is not an object`);
  return body;
}

/** Returns the error of a failed response: the Status in its body, or one made from its code if the body has none. */
export function apiErrorOf(request: OutgoingRequest, code: number, text: string): ApiError {
  const status = statusIn(text);
  if (status !== undefined) return new ApiError({ ...status, code: status.code || code });
  return new ApiError({
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    message: `${describeRequest(request)}: the server answered ${code}${text === "" ? "" : `: ${excerpt(text)}`}`,
    reason: reasons[code] ?? (code >= 500 ? "InternalError" : "Unknown"),
    code,
  });
}

function statusIn(text: string): Status | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isJsonObject(body) && body["kind"] === "Status" ? body : undefined;
  } catch {
    return undefined; // the page of a proxy, for example
  }
}

const reasons: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Expired",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** Returns the object that a write stored. If the response has only metadata, the rest is taken from the request. */
export function writtenObject<T extends StoredObject>(
  resource: Resource<T>,
  sent: Draft<T>,
  body: JsonObject,
): T {
  if (body["kind"] !== "PartialObjectMetadata") return body as unknown as T;
  const { metadata } = body;
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...sent, metadata } as unknown as T;
}

/** A list whose items have apiVersion and kind, which servers leave out. */
export function listOf<T extends StoredObject>(resource: Resource<T>, body: JsonObject): ListResult<T> {
  const { resourceVersion, continue: more, remainingItemCount } = memberOf(body, "metadata");
  const items = Array.isArray(body["items"]) ? body["items"] : [];
  const type = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  return {
    items: items.map((item: T) => (item.kind === undefined ? { ...type, ...item } : item)),
    resourceVersion: typeof resourceVersion === "string" ? resourceVersion : "",
    ...(typeof more === "string" && more !== "" && { continue: more }),
    ...(typeof remainingItemCount === "number" && { remainingItemCount }),
  };
}

/** Whether the object in the response to a DELETE still exists, kept by its grace period or by finalizers. */
export function isStillPresent(body: JsonObject): boolean {
  // A Status, the response for most objects that are gone, has no deletion timestamp.
  const metadata = memberOf(body, "metadata");
  if (typeof metadata["deletionTimestamp"] !== "string") return false;
  // A Namespace has its finalizer in its spec.
  return (
    Number(metadata["deletionGracePeriodSeconds"] ?? 0) > 0 ||
    hasFinalizers(metadata) ||
    hasFinalizers(memberOf(body, "spec"))
  );
}

function hasFinalizers({ finalizers }: JsonObject): boolean {
  return Array.isArray(finalizers) && finalizers.length > 0;
}

function memberOf(object: JsonObject, key: string): JsonObject {
  const member = object[key];
  return isJsonObject(member) ? member : {};
}

/** Describes a request in error messages. */
export function describeRequest({ method, path }: OutgoingRequest): string {
  return `${method} ${path}`;
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

const maxRetryAfterMs = 60_000;

/**
 * The delay that an overloaded server requests before a retry; `undefined` when it requests none. A date instead of
 * seconds, which no API server sends, counts as one second.
 */
export function retryAfterMs(code: number, header: string | undefined): number | undefined {
  if ((code !== 429 && code !== 503) || header === undefined) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : 1;
  return Math.min(seconds * 1000, maxRetryAfterMs);
}
