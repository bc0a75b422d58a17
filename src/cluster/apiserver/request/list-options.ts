import { type FieldError, forbidden, notSupported } from "../../../api/field-error.ts";
import { isResourceVersion } from "../../../api/resource-version.ts";
import { badRequest, invalidObject } from "../status-errors.ts";
import type { RequestOptions } from "./api-request.ts";

const listOptions = { group: "meta.k8s.io", kind: "ListOptions" };
const matches = ["Exact", "NotOlderThan"];

/** Refuses combinations of list options that mean nothing; 422, as upstream. */
export function checkListOptions(options: RequestOptions): void {
  const errors = options.resourceVersionMatch === undefined ? [] : matchErrors(options);
  if (options.sendInitialEvents !== undefined)
    errors.push(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  refuse(errors);
}

function matchErrors({ resourceVersion = "", resourceVersionMatch, continue: token }: RequestOptions) {
  const errors: FieldError[] = [];
  const no = (why: string) => errors.push(forbidden("resourceVersionMatch", why));
  if (resourceVersion === "") no("resourceVersionMatch is forbidden unless resourceVersion is provided");
  if (token !== undefined && token !== "") no("resourceVersionMatch is forbidden when continue is provided");
  if (!matches.includes(resourceVersionMatch ?? ""))
    errors.push(notSupported("resourceVersionMatch", resourceVersionMatch, matches));
  if (resourceVersionMatch === "Exact" && resourceVersion === "0")
    no('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  return errors;
}

/** The same for the options of a watch. */
export function checkWatchOptions({
  resourceVersionMatch,
  sendInitialEvents,
  continue: token,
}: RequestOptions): void {
  const errors: FieldError[] = [];
  const no = (why: string) => errors.push(forbidden("resourceVersionMatch", why));
  if (sendInitialEvents !== undefined && resourceVersionMatch === undefined)
    no("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  if (resourceVersionMatch !== undefined) {
    if (sendInitialEvents === undefined)
      no("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    if (resourceVersionMatch !== "NotOlderThan")
      errors.push(notSupported("resourceVersionMatch", resourceVersionMatch, ["NotOlderThan"]));
    if (token !== undefined && token !== "")
      no("resourceVersionMatch is forbidden when continue is provided");
  }
  refuse(errors);
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidObject(listOptions, "", errors);
}

/** The revision a client names: `undefined` when it names none, 0 for "any". */
export function revisionOf(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const revision = Number(text);
  if (text !== "0" && (!isResourceVersion(text) || !Number.isSafeInteger(revision)))
    throw badRequest(`resourceVersion: Invalid value: ${JSON.stringify(text)}: must be a decimal number`);
  return revision;
}
