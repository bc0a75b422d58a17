import { badRequest } from "../../status-errors.ts";

/** The path of a request and the parameters behind it. */
export type RequestTarget = Pick<URL, "pathname" | "search" | "searchParams">;

/** Matches paths that a URL parser would not change: without escapes, dot segments or empty segments. */
const plainPath = /^(?:\/[\w-][\w.-]*)+\/?$/;
/** Matches queries that a URL parser would not change: without characters that a URL escapes. */
const plainQuery = /^[\w.~%&=+,:;/?!()*@$-]*$/;

const anyOrigin = "https://localhost";

/**
 * Parses the target of a request; throws 400 for a target that is not a path. Most targets do not need a URL parser.
 */
export function requestTarget(target: string): RequestTarget {
  const cut = target.indexOf("?");
  const pathname = cut === -1 ? target : target.slice(0, cut);
  const query = cut === -1 ? "" : target.slice(cut + 1);
  if (plainPath.test(pathname) && plainQuery.test(query)) {
    const search = query && `?${query}`;
    // The question mark is kept: one is cut off, and a second one belongs to the first name.
    return { pathname, search, searchParams: new URLSearchParams(search) };
  }
  try {
    return new URL(target, anyOrigin);
  } catch (error) {
    if (error instanceof TypeError) throw badRequest("the target of the request is no path");
    throw error;
  }
}
