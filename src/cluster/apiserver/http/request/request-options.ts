import { parseDuration } from "../../../../api/duration.ts";
import type { RequestOptions } from "../../request/api-request.ts";
import { badRequest } from "../../status-errors.ts";

/** Parses the query of a request; throws 400 for a malformed number. Unknown parameters are ignored, as upstream. */
export function requestOptionsOf(query: URLSearchParams): RequestOptions {
  return {
    dryRun: query.has("dryRun") ? query.getAll("dryRun") : undefined,
    fieldManager: textIn(query, "fieldManager"),
    fieldValidation: textIn(query, "fieldValidation"),
    force: flagIn(query, "force"),
    labelSelector: textIn(query, "labelSelector"),
    fieldSelector: textIn(query, "fieldSelector"),
    resourceVersion: textIn(query, "resourceVersion"),
    resourceVersionMatch: textIn(query, "resourceVersionMatch"),
    limit: integerIn(query, "limit"),
    continue: textIn(query, "continue"),
    timeoutSeconds: integerIn(query, "timeoutSeconds"),
    allowWatchBookmarks: flagIn(query, "allowWatchBookmarks"),
    sendInitialEvents: flagIn(query, "sendInitialEvents"),
    gracePeriodSeconds: integerIn(query, "gracePeriodSeconds"),
    propagationPolicy: textIn(query, "propagationPolicy"),
    orphanDependents: flagIn(query, "orphanDependents"),
    container: textIn(query, "container"),
    follow: flagIn(query, "follow"),
    previous: flagIn(query, "previous"),
    timestamps: flagIn(query, "timestamps"),
    tailLines: integerIn(query, "tailLines"),
    limitBytes: integerIn(query, "limitBytes"),
    sinceSeconds: integerIn(query, "sinceSeconds"),
    sinceTime: textIn(query, "sinceTime"),
  };
}

/** Reports whether a GET of a collection is a watch. */
export function isWatch(query: URLSearchParams): boolean {
  return flagIn(query, "watch") ?? false;
}

/** Throws 400 for a malformed `timeout`; a valid one has no effect, since no request takes that long. */
export function checkTimeout(query: URLSearchParams): void {
  const text = query.get("timeout") ?? "";
  if (text === "" || parseDuration(text) !== undefined) return;
  const why = `time: invalid duration ${JSON.stringify(text)}`;
  throw badRequest(`invalid timeout specified in the request URL - ${why}`);
}

function textIn(query: URLSearchParams, name: string): string | undefined {
  return query.get(name) || undefined;
}

/** upstream: a boolean parameter is true when it is present and neither `false` nor `0`. */
function flagIn(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  return text.toLowerCase() !== "false" && text !== "0";
}

function integerIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const number = Number(text);
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(number))
    throw badRequest(
      `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax (query parameter ${name})`,
    );
  return number;
}
