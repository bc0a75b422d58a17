import { badRequestStatus, type RefusalStatus, refusal } from "./refusal.ts";
import { type ForwardedPath, forwardedPath } from "./forwarded-kinds.ts";

/** A read that may be forwarded to the API server. */
export interface ForwardedRead {
  /** Path and query, relative to the address of the API server. */
  readonly path: string;
  /** Whether its response goes on until it is closed. */
  readonly isWatch: boolean;
  /** Whether its response is text rather than JSON. */
  readonly isText?: true;
}

export type ReadRequest =
  | { readonly ok: true; readonly request: ForwardedRead }
  | { readonly ok: false; readonly refusal: RefusalStatus };

/** The query parameters that are forwarded for a collection. */
const collectionParameters: ReadonlySet<string> = new Set([
  "allowWatchBookmarks",
  "continue",
  "fieldSelector",
  "labelSelector",
  "limit",
  "resourceVersion",
  "resourceVersionMatch",
  "sendInitialEvents",
  "timeoutSeconds",
  "watch",
]);
const parametersOf: Readonly<Record<ForwardedPath["of"], ReadonlySet<string>>> = {
  collection: collectionParameters,
  object: new Set(["resourceVersion"]),
  log: new Set(["container", "previous", "tailLines"]),
};

/** A log is never followed, and its end has at most so many lines and bytes. */
const mostOfLog = { tailLines: 500, limitBytes: 262_144 };

/** Reads a path with its query, as the page sends it; only what is on the allow-list is forwarded. */
export function forwardedRequest(target: string): ReadRequest {
  const [path, query] = splitTarget(target);
  const found = forwardedPath(path);
  return found === undefined ? refused(notForwarded) : withQuery(found, query);
}

/** The request of one of the watches of `/watch`. */
export function forwardedWatch(target: string): ReadRequest {
  const [path, query] = splitTarget(target);
  const found = forwardedPath(path);
  if (found === undefined) return refused(notForwarded);
  if (found.of !== "collection") return refused(badRequestStatus("a watch is of a collection"));
  const parameters = new URLSearchParams(query);
  if (!parameters.has("watch")) parameters.append("watch", "1");
  const read = withQuery(found, parameters.toString());
  return read.ok && !read.request.isWatch ? refused(badRequestStatus("watch must be 1 or true")) : read;
}

const notForwarded = refusal(403, "Forbidden", "the page does not forward requests for this path");

const refused = (why: RefusalStatus): ReadRequest => ({ ok: false, refusal: why });

function withQuery({ of, path }: ForwardedPath, query: string): ReadRequest {
  const parameters = new URLSearchParams(query);
  const problem = parameterProblem(parameters, parametersOf[of]);
  if (problem !== undefined) return refused(badRequestStatus(problem));
  if (of === "log") return logRequest(path, parameters);
  const isWatch = parameters.has("watch") && !notWatching.has(parameters.get("watch") ?? "");
  return { ok: true, request: { path: withParameters(path, parameters), isWatch } };
}

function parameterProblem(parameters: URLSearchParams, allowed: ReadonlySet<string>): string | undefined {
  for (const name of new Set(parameters.keys())) {
    if (!allowed.has(name)) return `the page does not forward the parameter ${JSON.stringify(name)}`;
    if (parameters.getAll(name).length > 1) return `the parameter ${name} is given more than once`;
  }
  return undefined;
}

const withParameters = (path: string, parameters: URLSearchParams) =>
  parameters.size === 0 ? path : `${path}?${parameters.toString()}`;

function logRequest(path: string, parameters: URLSearchParams): ReadRequest {
  const lines = Math.min(Number(parameters.get("tailLines") ?? "100"), mostOfLog.tailLines);
  if (!Number.isInteger(lines) || lines < 0)
    return refused(badRequestStatus("tailLines must be a whole number"));
  parameters.set("tailLines", String(lines));
  parameters.set("limitBytes", String(mostOfLog.limitBytes));
  return { ok: true, request: { path: withParameters(path, parameters), isWatch: false, isText: true } };
}

/** The values of `watch` that the API server reads as false; every other value counts as a watch. */
const notWatching: ReadonlySet<string> = new Set(["false", "0"]);

/** The path of a request target, letter by letter, and the query behind it. */
export function splitTarget(target: string): readonly [path: string, query: string] {
  const cut = target.indexOf("?");
  return cut === -1 ? [target, ""] : [target.slice(0, cut), target.slice(cut + 1)];
}
