import type { Status, StatusCause, StatusDetails } from "../../api/generated/meta-v1.ts";
import { qualifiedName, type Resource } from "../../api/resource.ts";
import { ApiError } from "../../machinery/client/api-error.ts";

/** What errors name a resource by. */
export type GroupResource = Pick<Resource, "group" | "plural">;

interface StatusError {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: StatusDetails;
  readonly metadata?: Status["metadata"];
}

/** An error with the Status that Kubernetes answers with. */
export function statusError(
  { code, reason, message, details, metadata = {} }: StatusError,
  options?: ErrorOptions,
): ApiError {
  const status: Status = {
    kind: "Status",
    apiVersion: "v1",
    metadata,
    status: "Failure",
    message,
    // Go leaves an empty reason out.
    ...(reason !== "" && { reason }),
    ...(details !== undefined && { details }),
    code,
  };
  return new ApiError(status, options);
}

/** The details of an error about an object, or about a collection where the name is empty. */
export function detailsOf(
  resource: GroupResource,
  name: string,
  causes?: readonly StatusCause[],
): StatusDetails {
  return {
    ...(name !== "" && { name }),
    ...(resource.group !== "" && { group: resource.group }),
    kind: resource.plural,
    ...(causes !== undefined && { causes }),
  };
}

/** How messages name an object, or a collection where the name is empty. */
export const subject = (resource: GroupResource, name: string) =>
  name === "" ? qualifiedName(resource) : `${qualifiedName(resource)} ${JSON.stringify(name)}`;
