import type { ApiRequest } from "../../cluster/apiserver/request/api-request.ts";
import type { Store } from "../../cluster/store/store.ts";
import { type Random, randomInt } from "../../machinery/random/random.ts";

/** How many changes a stale list may lack. */
const mostChanges = 3;
/** How far back changes are looked for. */
const mostRevisions = 1000;

/** Reports whether a list accepts any state: the one with `resourceVersion=0`, which is served from caches. */
export function acceptsAnyState({ verb, options, resource }: ApiRequest): boolean {
  const isContinued = options.continue !== undefined && options.continue !== "";
  // The Leases of simulated nodes have no history.
  return (
    verb === "list" &&
    options.resourceVersion === "0" &&
    !isContinued &&
    resource.collection !== "leases.coordination.k8s.io"
  );
}

/**
 * Returns the revision of an older state that differs from the current one in what the list shows; `undefined` when none
 * is kept.
 */
export function olderRevision(
  store: Store,
  { resource, namespace }: ApiRequest,
  random: Random,
): number | undefined {
  const collection = store.collection(resource.collection);
  const from = Math.max(collection.oldestRevision(), store.revision() - mostRevisions);
  const prefix = namespace === undefined ? "" : `${namespace}/`;
  const changes = (collection.since(from) ?? []).filter(({ record }) => record.key.startsWith(prefix));
  const missing = 1 + randomInt(random, Math.min(mostChanges, changes.length));
  const first = changes.at(-missing);
  const revision = first === undefined ? 0 : first.record.revision - 1;
  return revision > 0 && collection.at(revision) !== undefined ? revision : undefined;
}

/** Returns the request for the state at a revision. */
export function listedAt(request: ApiRequest, revision: number): ApiRequest {
  const { limit: _limit, ...options } = request.options;
  return {
    ...request,
    options: { ...options, resourceVersion: String(revision), resourceVersionMatch: "Exact" },
  };
}
