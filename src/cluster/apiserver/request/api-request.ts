import type { Json, JsonObject } from "../../../api/json.ts";
import type { User } from "../auth/user.ts";
import type { ServedResource } from "../served-resource.ts";

/** The verbs of resources. */
export type Verb = "get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "deletecollection";

/** The body of a request: bytes from a client, or a value from a component in this process, which is trusted to be well-typed. */
export type RequestBody =
  | { readonly form: "bytes"; readonly contentType: string; readonly bytes: Uint8Array }
  | { readonly form: "value"; readonly value: JsonObject };

/** The body of a patch, with its type. */
export type PatchBody =
  | { readonly form: "bytes"; readonly contentType: string; readonly bytes: Uint8Array }
  | { readonly form: "value"; readonly type: "json" | "merge" | "strategic"; readonly value: Json };

/** The query of a request, unchecked: handlers validate what they use. */
export interface RequestOptions {
  readonly dryRun?: readonly string[] | undefined;
  readonly fieldManager?: string | undefined;
  readonly fieldValidation?: string | undefined;
  readonly force?: boolean | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: string | undefined;
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly timeoutSeconds?: number | undefined;
  readonly allowWatchBookmarks?: boolean | undefined;
  readonly sendInitialEvents?: boolean | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly orphanDependents?: boolean | undefined;
  // The options of a log:
  readonly container?: string | undefined;
  readonly follow?: boolean | undefined;
  readonly previous?: boolean | undefined;
  readonly timestamps?: boolean | undefined;
  readonly tailLines?: number | undefined;
  readonly limitBytes?: number | undefined;
  readonly sinceSeconds?: number | undefined;
  readonly sinceTime?: string | undefined;
}

/** What a proxied request asks of the program behind the proxy. */
export interface ProxyRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
}

/** A request to the API, from HTTP or from a component in this process. */
export interface ApiRequest {
  readonly verb: Verb;
  readonly resource: ServedResource;
  readonly subresource?: string | undefined;
  /** Absent for cluster-scoped resources, and for all namespaces. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly options: RequestOptions;
  readonly body?: RequestBody | undefined;
  readonly patch?: PatchBody | undefined;
  /** Only for the subresource `proxy`. */
  readonly proxy?: ProxyRequest | undefined;
  readonly user: User;
  readonly userAgent?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How often the request has been handled again because the object changed while webhooks were called. */
  readonly retries?: number;
}

/** Limits how often a request is handled again because of other writes, before the client is told to retry. */
const mostRetries = 5;

/** Returns the request for handling it again because of another write; `undefined` beyond the limit. */
export function nextAttempt(request: ApiRequest): ApiRequest | undefined {
  const { retries = 0 } = request;
  return retries < mostRetries ? { ...request, retries: retries + 1 } : undefined;
}
