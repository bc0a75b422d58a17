import { qualifiedName, type Resource } from "../../../api/resource.ts";
import { ApiError } from "../api-error.ts";

/** What a path addresses: a collection without a name, an object with one. */
export interface PathTarget {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/**
 * The path of a collection, an object or its subresource. Throws a `BadRequest` for a name that cannot be one segment
 * of a path: `DELETE` of the empty name would delete the whole collection.
 */
export function requestPath(resource: Resource, place: PathTarget): string {
  const root = resource.group === "" ? "/api" : `/apis/${resource.group}`;
  const segments = [resource.version];
  if (resource.namespaced && place.namespace !== undefined && place.namespace !== "")
    segments.push("namespaces", segment(resource, place.namespace));
  segments.push(resource.plural);
  if (place.name !== undefined) segments.push(segment(resource, place.name));
  if (place.subresource !== undefined) segments.push(place.subresource);
  return `${root}/${segments.join("/")}`;
}

// upstream: rest.IsValidPathSegmentName
function segment(resource: Resource, name: string): string {
  if (name === "" || name === "." || name === ".." || /[/%]/.test(name)) {
    throw new ApiError({
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      message: `${JSON.stringify(name)} cannot be a name in a path`,
      reason: "BadRequest",
      details: { name, group: resource.group, kind: qualifiedName(resource) },
      code: 400,
    });
  }
  return encodeURIComponent(name);
}
