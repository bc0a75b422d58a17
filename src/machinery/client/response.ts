import type { Status } from "../../api/generated/meta-v1.ts";
import { isJsonObject, type JsonObject } from "../../api/json.ts";
import type { StoredObject } from "../../api/object.ts";
import { apiVersionOf, type Resource } from "../../api/resource.ts";
import { ApiError } from "./api-error.ts";
import type { ListResult } from "./client.ts";
import type { ApiRequest } from "./request.ts";

/** The body of a successful answer. */
export function parseResponse(request: ApiRequest, text: string): JsonObject {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new Error(`${describeRequest(request)}: the answer is not JSON: ${excerpt(text)}`, {
      cause: error,
    });
  }
  if (!isJsonObject(body)) throw new Error(`${describeRequest(request)}: the answer is not an object`);
  return body;
}

/** What the server refused with: its own Status where there is one, else one that says what we saw. */
export function apiErrorOf(request: ApiRequest, code: number, text: string): ApiError {
  const status = statusIn(text);
  if (status !== undefined) return new ApiError({ code, ...status });
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
    return undefined; // a proxy's page, say
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

/** A list, each item with the type that the wire leaves out. */
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

/** Whether the object in the answer to a DELETE is still there: marked, and kept by its grace or by finalizers. */
export function isStillPresent(body: JsonObject): boolean {
  // A Status, which is all that is said of most objects that are gone, has no marks.
  const metadata = memberOf(body, "metadata");
  if (typeof metadata["deletionTimestamp"] !== "string") return false;
  // A namespace keeps the finalizer that empties it in its spec.
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

/** A request in words, for messages. */
export function describeRequest({ method, path }: ApiRequest): string {
  return `${method} ${path}`;
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
