import type { View } from "../../store/store.ts";
import type { ApiRequest, RequestOptions } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import type { ContinueToken } from "../request/continue-token.ts";
import { checkListOptions, revisionOf } from "../request/list-options.ts";
import { recordsInScope, type Selection, requestSelection } from "../request/selection.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { badRequest, resourceExpired } from "../status-errors.ts";
import { readAhead } from "../storage/convert-ahead.ts";
import { type ServedObject, toServed } from "../storage/served-object.ts";
import { withVirtualLeases } from "../storage/virtual-leases.ts";
import { waitForRevision } from "../storage/wait-for-revision.ts";

/** The state a list reads, and where its page begins and ends. */
interface Page {
  readonly view: View;
  readonly revision: number;
  readonly limit: number;
  readonly after?: string | undefined;
}

/** Handles a list: key order, in pages when the client sets a limit. */
export async function list(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { resource, namespace, options } = request;
  checkListOptions(options);
  const selection = requestSelection(request);
  const revision = revisionOf(options.resourceVersion) ?? -1;
  if (!isContinued(options)) await waitForRevision(context, revision, request.signal);
  // Nothing awaits from here on, so that the items are the state at the list's revision. Objects that a webhook converts
  // are read from a snapshot.
  const page = pageOf(context, request, revision);
  const converted = convertedAhead(page, request, selection);
  if (converted !== undefined) await converted;
  const { items, next } = readPage(page, request, selection);
  const metadata = { resourceVersion: String(page.revision) };
  if (next === undefined) return { kind: "list", resource, items, metadata };
  collectionOf(context, resource).at(page.revision); // keeps the view for the next pages
  const remaining = page.view.count({ namespace, after: next });
  return {
    kind: "list",
    resource,
    items,
    metadata: {
      ...metadata,
      continue: context.continueTokens.encode({ after: next, revision: page.revision }),
      ...(selection.selectsAll && { remainingItemCount: remaining }),
    },
  };
}

/** The page that `resourceVersion`, `resourceVersionMatch`, `limit` and `continue` select together. */
function pageOf(context: ServerContext, request: ApiRequest, revision: number): Page {
  const { options } = request;
  if (isContinued(options)) {
    if (revision > 0) throw badRequest("specifying resource version is not allowed when using continue");
    return nextPage(context, request, context.continueTokens.decode(options.continue ?? ""));
  }
  if (revision > 0 && asksForExact(options)) return exactPage(context, request, revision);
  // Revision 0 means any state, in one page: informers that send a limit with it expect the whole list.
  return newestPage(context, request, revision === 0 ? Infinity : limitOf(options));
}

function isContinued({ continue: token }: RequestOptions): boolean {
  return token !== undefined && token !== "";
}

function asksForExact(options: RequestOptions): boolean {
  if (options.resourceVersionMatch !== undefined) return options.resourceVersionMatch === "Exact";
  return limitOf(options) < Infinity;
}

function limitOf({ limit }: RequestOptions): number {
  return limit === undefined || limit <= 0 ? Infinity : limit;
}

/** Converts the objects of a page ahead, where that takes time. */
function convertedAhead(
  { view, limit, after }: Page,
  { resource, namespace }: ApiRequest,
  selection: Selection,
): Promise<void> | undefined {
  if (resource.conversion?.ahead === undefined) return undefined;
  const records = [...recordsInScope(view, selection, { namespace, after })];
  return readAhead(resource, selection.selectsAll ? records.slice(0, limit) : records);
}

function newestPage(context: ServerContext, { resource }: ApiRequest, limit: number): Page {
  const collection = collectionOf(context, resource);
  const newest = resource.conversion?.ahead === undefined ? collection : collection.snapshot();
  const view = withVirtualLeases(context, resource, newest);
  return { view, revision: context.store.revision(), limit };
}

function exactPage(context: ServerContext, { resource, options }: ApiRequest, revision: number): Page {
  const view = collectionOf(context, resource).at(revision);
  if (view === undefined)
    throw resourceExpired(`the state at resource version ${revision} is no longer kept`);
  return { view, revision, limit: limitOf(options) };
}

function nextPage(context: ServerContext, { resource, options }: ApiRequest, token: ContinueToken): Page {
  const revision = token.revision ?? context.store.revision();
  const view = collectionOf(context, resource).at(revision);
  if (view === undefined) {
    throw resourceExpired(
      "the list this continue token belongs to is no longer kept: list again, or go on with the token in this " +
        "answer, which continues at the newest state and may miss or repeat what changed meanwhile",
      context.continueTokens.encode({ after: token.after }),
    );
  }
  const { after } = token;
  return { view: withVirtualLeases(context, resource, view), revision, limit: limitOf(options), after };
}

function readPage(
  { view, limit, after }: Page,
  { resource, namespace }: ApiRequest,
  selection: Selection,
): { readonly items: readonly ServedObject[]; readonly next: string | undefined } {
  const items: ServedObject[] = [];
  let last: string | undefined;
  for (const record of recordsInScope(view, selection, { namespace, after })) {
    if (items.length === limit && selection.selectsAll) return { items, next: last };
    const item = toServed(resource, record);
    if (!selection.selectsAll && !selection.matches(item.object)) continue;
    if (items.length === limit) return { items, next: last };
    items.push(item);
    last = record.key;
  }
  return { items, next: undefined };
}
