import type { Json, JsonObject } from "../../../api/json.ts";
import type { User } from "../auth/user.ts";
import type { ServedResource } from "../served-resource.ts";

/** What can be asked of a resource. */
export type Verb = "get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "deletecollection";

/** A body on its way in: bytes from a socket, or a value from within the process, which is trusted to have its kind's types. */
export type RequestBody =
  | { readonly form: "bytes"; readonly contentType: string; readonly bytes: Uint8Array }
  | { readonly form: "value"; readonly value: JsonObject };

/** The same for a patch, which says of what type it is. */
export type PatchBody =
  | { readonly form: "bytes"; readonly contentType: string; readonly bytes: Uint8Array }
  | { readonly form: "value"; readonly type: "json" | "merge" | "strategic"; readonly value: Json };

/** The query of a request; every member as the client wrote it, checked where it is used. */
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
}

/** One request to the API, wherever it came from. */
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
  readonly user: User;
  readonly userAgent?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
