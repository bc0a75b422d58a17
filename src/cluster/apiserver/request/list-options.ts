import { type FieldError, forbidden, notSupported } from "../../../api/field-error.ts";
import { isResourceVersion } from "../../../api/resource-version.ts";
import { badRequest, invalidObject } from "../status-errors.ts";
import type { RequestOptions } from "./api-request.ts";

const listOptions = { group: "meta.k8s.io", kind: "ListOptions" };
const matches = ["Exact", "NotOlderThan"];

/** Throws 422 for invalid combinations of list options, as upstream. */
export function checkListOptions(options: RequestOptions): void {
  const errors = options.resourceVersionMatch === undefined ? [] : matchErrors(options);
  if (options.sendInitialEvents !== undefined)
    errors.push(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  throwIfAny(errors);
}

function matchErrors({ resourceVersion = "", resourceVersionMatch, continue: token }: RequestOptions) {
  const errors: FieldError[] = [];
  const forbid = (why: string) => errors.push(forbidden("resourceVersionMatch", why));
  if (resourceVersion === "") forbid("resourceVersionMatch is forbidden unless resourceVersion is provided");
  if (token !== undefined && token !== "")
    forbid("resourceVersionMatch is forbidden when continue is provided");
  if (!matches.includes(resourceVersionMatch ?? ""))
    errors.push(notSupported("resourceVersionMatch", resourceVersionMatch, [...matches, ""]));
  if (resourceVersionMatch === "Exact" && resourceVersion === "0")
    forbid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  return errors;
}

/** Throws 422 for invalid combinations of watch options, as upstream. */
export function checkWatchOptions({
  resourceVersionMatch,
  sendInitialEvents,
  continue: token,
}: RequestOptions): void {
  const errors: FieldError[] = [];
  const forbid = (why: string) => errors.push(forbidden("resourceVersionMatch", why));
  if (sendInitialEvents !== undefined && resourceVersionMatch === undefined)
    forbid("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  if (resourceVersionMatch !== undefined) {
    if (sendInitialEvents === undefined)
      forbid("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    if (resourceVersionMatch !== "NotOlderThan")
      errors.push(notSupported("resourceVersionMatch", resourceVersionMatch, ["NotOlderThan"]));
  }
  // upstream: the message names the other option, even if it is absent
  if (token !== undefined && token !== "")
    forbid("resourceVersionMatch is forbidden when continue is provided");
  throwIfAny(errors);
}

function throwIfAny(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidObject(listOptions, "", errors);
}

/** Parses a resource version: `undefined` when there is none, 0 for "any"; throws 400 for a malformed one. */
export function revisionOf(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const revision = Number(text);
  if (text !== "0" && (!isResourceVersion(text) || !Number.isSafeInteger(revision)))
    throw badRequest(`resourceVersion: Invalid value: ${JSON.stringify(text)}: must be a decimal number`);
  return revision;
}
