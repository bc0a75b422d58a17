import type { JsonObject } from "../../../api/json.ts";
import type { User } from "../auth/user.ts";
import type { GroupVersionKind } from "../openapi/group-version-kinds.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ServedResource } from "../served-resource.ts";

/** The operation of a request, in the words of webhook rules. */
export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** A request as webhooks see it, without its objects. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly resource: ServedResource;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Empty for a new object whose name is generated, and for the deletion of a collection. */
  readonly name: string;
  /** For a Namespace its own name, as upstream. */
  readonly namespace: string;
  readonly user: User;
  readonly dryRun: boolean;
  /** The options of the request, such as CreateOptions; a connection has none. */
  readonly options: JsonObject | null;
}

/** The objects of a request: both for an update, the old one alone for a delete. */
export interface ReviewedObjects {
  readonly object?: JsonObject | undefined;
  readonly oldObject?: JsonObject | undefined;
}

/** Details that the request itself does not contain. */
export interface RequestDetails {
  /** Absent: that of the request. */
  readonly name?: string;
  readonly dryRun: boolean;
  /** Returns the options of a delete; absent: those of the query. */
  readonly options?: () => object;
}

/** Describes a request for webhooks. */
export function admissionRequestOf(
  request: ApiRequest,
  operation: AdmissionOperation,
  { name = request.name ?? "", dryRun, options }: RequestDetails,
): AdmissionAttributes {
  const { resource, subresource = "", namespace = "", user } = request;
  return {
    operation,
    resource,
    subresource,
    name,
    namespace: resource.collection === "namespaces" ? name : namespace,
    user,
    dryRun,
    options: operation === "CONNECT" ? null : { ...optionsOf(request, operation, dryRun), ...options?.() },
  };
}

const optionKinds = { CREATE: "CreateOptions", UPDATE: "UpdateOptions", DELETE: "DeleteOptions" };

function optionsOf(
  { verb, options }: ApiRequest,
  operation: keyof typeof optionKinds,
  dryRun: boolean,
): JsonObject {
  const isPatch = verb === "patch" && operation === "UPDATE";
  const { fieldManager, fieldValidation, force } = options;
  return {
    kind: isPatch ? "PatchOptions" : optionKinds[operation],
    apiVersion: "meta.k8s.io/v1",
    ...(dryRun && { dryRun: ["All"] }),
    ...(fieldManager !== undefined && { fieldManager }),
    ...(fieldValidation !== undefined && { fieldValidation }),
    ...(isPatch && force !== undefined && { force }),
  };
}

/** Returns the kind of a resource's objects, or of the bodies of one of its subresources. */
export function reviewedKindOf(resource: ServedResource, subresource: string): GroupVersionKind {
  const { group, version, kind } = resource;
  const declared = resource.subresources.find(({ name }) => name === subresource);
  if (declared === undefined) return { group, version, kind };
  const [ownKind = kind, ownVersion = version, ownGroup = ""] = declared.kind.split("/").toReversed();
  return { group: ownGroup, version: ownVersion, kind: ownKind };
}
