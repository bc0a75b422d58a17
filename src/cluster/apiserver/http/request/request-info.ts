import type { Verb } from "../../request/api-request.ts";

/** What a path names: a resource, or a path of its own such as `/version` (upstream: RequestInfo). */
export type RequestInfo =
  | {
      readonly to: "resource";
      readonly group: string;
      readonly version: string;
      readonly plural: string;
      readonly namespace?: string;
      readonly name?: string;
      readonly subresource?: string;
      /** The path behind the subresource `proxy`, for the proxied program; no other subresource has one. */
      readonly proxied?: string;
    }
  | { readonly to: "non-resource"; readonly path: string };

/** The request info of a resource's path. */
export type ResourceRequestInfo = Extract<RequestInfo, { readonly to: "resource" }>;

/** Parses the path of a request. */
export function requestInfoOf(path: string): RequestInfo {
  const trimmed = path.length > 1 ? path.replace(/\/$/, "") : path;
  const [root, ...rest] = trimmed.split("/").slice(1).map(decoded);
  const group = root === "apis" ? rest.shift() : "";
  const [version, ...segments] = rest;
  const isResource = (root === "api" || root === "apis") && segments.length > 0 && segments.every(isPresent);
  if (!isResource || group === undefined || version === undefined)
    return { to: "non-resource", path: trimmed };
  return { to: "resource", group, version, ...namesIn(segments as string[]) };
}

const isPresent = (segment: string | undefined) => segment !== undefined && segment !== "";

function decoded(segment: string): string | undefined {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return undefined; // a stray percent sign
    throw error;
  }
}

/** The subresources of a namespace, whose paths look like those of resources in it. */
const namespaceSubresources: ReadonlySet<string> = new Set(["status", "finalize"]);

function namesIn(segments: readonly string[]): Omit<ResourceRequestInfo, "to" | "group" | "version"> {
  const [first = "", second, third] = segments;
  if (
    first === "namespaces" &&
    second !== undefined &&
    third !== undefined &&
    !namespaceSubresources.has(third)
  ) {
    return { namespace: second, ...objectOf(segments.slice(2)) };
  }
  return objectOf(segments);
}

function objectOf([plural = "", name, subresource, ...rest]: readonly string[]) {
  return {
    plural,
    ...(name !== undefined && { name }),
    ...(subresource !== undefined && { subresource }),
    ...(rest.length > 0 && { proxied: rest.join("/") }),
  };
}

const objectVerbs: ReadonlyMap<string, Verb> = new Map([
  ["GET", "get"],
  ["POST", "create"],
  ["PUT", "update"],
  ["PATCH", "patch"],
  ["DELETE", "delete"],
]);
const collectionVerbs: ReadonlyMap<string, Verb> = new Map([
  ["GET", "list"],
  ["POST", "create"],
  ["DELETE", "deletecollection"],
]);

/** Returns the verb of a method on a collection or, with a name, on an object; `undefined` when there is none. */
export function verbOf(method: string, hasName: boolean, isWatch: boolean): Verb | undefined {
  const verb = (hasName ? objectVerbs : collectionVerbs).get(method);
  return verb === "list" && isWatch ? "watch" : verb;
}
