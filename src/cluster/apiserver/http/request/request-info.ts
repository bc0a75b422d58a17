import type { Verb } from "../../request/api-request.ts";

/** What a path leads to. */
export type RequestInfo =
  | {
      readonly to: "resource";
      readonly group: string;
      readonly version: string;
      readonly plural: string;
      readonly namespace?: string;
      readonly name?: string;
      readonly subresource?: string;
    }
  | { readonly to: "non-resource"; readonly path: string };

/** Reads the path of a request; what is no address of a resource leads elsewhere. */
export function requestInfoOf(path: string): RequestInfo {
  const trimmed = path.length > 1 ? path.replace(/\/$/, "") : path;
  const [root, ...rest] = trimmed.split("/").slice(1).map(decoded);
  const group = root === "apis" ? rest.shift() : "";
  const [version, ...place] = rest;
  const isAddress = (root === "api" || root === "apis") && place.length > 0 && place.every(isPresent);
  if (!isAddress || group === undefined || version === undefined)
    return { to: "non-resource", path: trimmed };
  return { to: "resource", group, version, ...placeOf(place as string[]) };
}

const isPresent = (segment: string | undefined) => segment !== undefined && segment !== "";

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined; // a stray percent sign
  }
}

/** The parts of a namespace itself, which look like resources in it. */
const namespaceSubresources: ReadonlySet<string> = new Set(["status", "finalize"]);

function placeOf(
  place: readonly string[],
): Omit<Extract<RequestInfo, { to: "resource" }>, "to" | "group" | "version"> {
  const [first = "", second, third] = place;
  if (
    first === "namespaces" &&
    second !== undefined &&
    third !== undefined &&
    !namespaceSubresources.has(third)
  ) {
    return { namespace: second, ...objectOf(place.slice(2)) };
  }
  return objectOf(place);
}

function objectOf([plural = "", name, subresource]: readonly string[]) {
  return {
    plural,
    ...(name !== undefined && { name }),
    ...(subresource !== undefined && { subresource }),
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

/** What a method asks of a collection or, with a name, of an object; `undefined` when nothing. */
export function verbOf(method: string, hasName: boolean, watches: boolean): Verb | undefined {
  const verb = (hasName ? objectVerbs : collectionVerbs).get(method);
  return verb === "list" && watches ? "watch" : verb;
}
