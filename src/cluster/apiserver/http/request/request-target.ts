import { badRequest } from "../../status-errors.ts";

/** The path of a request and the parameters behind it. */
export type RequestTarget = Pick<URL, "pathname" | "search" | "searchParams">;

/** A path that is the same as part of a URL: without escapes, dot segments or empty ones. */
const plainPath = /^(?:\/[\w-][\w.-]*)+\/?$/;
/** The same of parameters: without characters that a URL escapes. */
const plainQuery = /^[\w.~%&=+,:;/?!()*@$-]*$/;

const anyOrigin = "https://localhost";

/** Parses the target of a request; throws 400 for one that is no path. Those of most requests need no parser of URLs. */
export function requestTarget(target: string): RequestTarget {
  const cut = target.indexOf("?");
  const pathname = cut === -1 ? target : target.slice(0, cut);
  const query = cut === -1 ? "" : target.slice(cut + 1);
  if (plainPath.test(pathname) && plainQuery.test(query)) {
    const search = query && `?${query}`;
    // With its question mark: one is cut off, and a second one belongs to the first name.
    return { pathname, search, searchParams: new URLSearchParams(search) };
  }
  try {
    return new URL(target, anyOrigin);
  } catch (error) {
    if (error instanceof TypeError) throw badRequest("the target of the request is no path");
    throw error;
  }
}
