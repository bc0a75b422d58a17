import { messageOf } from "../../api/message-of.ts";
import type { StoredObject } from "../../api/object.ts";
import { qualifiedName, type Resource } from "../../api/resource.ts";
import {
  type ClusterObjects,
  clusterResources,
  type CollectionName,
  collectionNames,
  noObjects,
} from "../../decisions/explain/cluster-objects.ts";
import { ApiError, isGone } from "../../machinery/client/api-error.ts";
import type { Client, ListResult } from "../../machinery/client/client.ts";

/** Which objects of a cluster are read. */
export interface ReadScope {
  /** Objects that have a namespace are read from this one; absent: from all. */
  readonly namespace?: string | undefined;
  /** With a namespace: these are read from all namespaces if that is allowed, and otherwise from the one. */
  readonly wide?: readonly CollectionName[];
  /** Absent: all collections. The others stay empty. */
  readonly collections?: readonly CollectionName[];
  /** Collections without which there is no result; one of the others that cannot be read is empty, with a note. */
  readonly required: readonly CollectionName[];
}

/** What was read, with a sentence for everything that could not be, or why there is nothing. */
type ReadObjects =
  | {
      readonly ok: true;
      readonly objects: ClusterObjects;
      readonly notes: readonly string[];
      /** The collections that could not be read, as Kubernetes names them. */
      readonly leftOut: readonly string[];
    }
  | {
      readonly ok: false;
      readonly problems: readonly string[];
      /** Whether nothing is missing but permissions. */
      readonly isRefused: boolean;
    };

/**
 * Lists the objects that decisions read, in pages, from any API server; it only ever sends `list` requests. Throws what
 * ended a request by `signal`; everything else is a sentence.
 */
export async function readClusterObjects(
  client: Client,
  scope: ReadScope,
  signal: AbortSignal,
): Promise<ReadObjects> {
  const names = scope.collections ?? collectionNames;
  const read = await Promise.all(names.map((name) => readCollection(client, { name, scope }, signal)));
  const problems = read.flatMap(({ name, problem, isFatal }) =>
    problem !== undefined && (isFatal || scope.required.includes(name)) ? [problem] : [],
  );
  // A server that cannot be reached fails every request for the same reason.
  if (read.some(({ isFatal }) => isFatal))
    return { ok: false, problems: problems.slice(0, 1), isRefused: false };
  if (problems.length > 0) {
    const isRefused = read.every(({ problem, isForbidden }) => problem === undefined || isForbidden === true);
    return { ok: false, problems, isRefused };
  }
  const found = Object.fromEntries(read.map(({ name, items }) => [name, items]));
  return {
    ok: true,
    objects: { ...noObjects, ...found },
    leftOut: read.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [qualifiedName(clusterResources[name])],
    ),
    notes: read.flatMap(({ note, problem }) => note ?? (problem === undefined ? [] : `left out: ${problem}`)),
  };
}

interface CollectionRequest {
  readonly name: CollectionName;
  readonly scope: ReadScope;
}

interface ReadCollection {
  readonly name: CollectionName;
  readonly items: readonly StoredObject[];
  /** What was read instead of what was wanted. */
  readonly note?: string;
  /** Why nothing could be read. */
  readonly problem?: string;
  /** Whether no other request can succeed either. */
  readonly isFatal?: boolean;
  /** Whether a permission is missing. */
  readonly isForbidden?: boolean;
}

async function readCollection(
  client: Client,
  { name, scope }: CollectionRequest,
  signal: AbortSignal,
): Promise<ReadCollection> {
  const resource: Resource = clusterResources[name];
  const own = resource.namespaced ? scope.namespace : undefined;
  const isWide = own !== undefined && (scope.wide ?? []).includes(name);
  const first = await attempt(client, { resource, namespace: isWide ? undefined : own }, signal);
  if (!isWide || first.problem === undefined || first.isFatal === true) return { name, ...first };
  const second = await attempt(client, { resource, namespace: own }, signal);
  return second.problem === undefined
    ? { name, ...second, note: `only of namespace ${own}: ${first.problem}` }
    : { name, ...second };
}

interface Listing<T extends StoredObject = StoredObject> {
  readonly resource: Resource<T>;
  readonly namespace: string | undefined;
}

async function attempt(
  client: Client,
  listing: Listing,
  signal: AbortSignal,
): Promise<Omit<ReadCollection, "name" | "note">> {
  try {
    return { items: await listAll(client, listing, signal) };
  } catch (error) {
    if (signal.aborted) throw error;
    const isForbidden = error instanceof ApiError && error.code === 403;
    return { items: [], problem: problemOf(error, listing), isFatal: isFatal(error), isForbidden };
  }
}

const pageSize = 500;

/** All objects of a collection, page after page, or at once when the pages have expired. */
async function listAll<T extends StoredObject>(
  client: Client,
  { resource, namespace }: Listing<T>,
  signal: AbortSignal,
): Promise<readonly T[]> {
  const items: T[] = [];
  let next: string | undefined;
  do {
    let page: ListResult<T>;
    try {
      page = await client.list(resource, { namespace, limit: pageSize, continue: next }, signal);
    } catch (error) {
      if (!isGone(error)) throw error;
      return (await client.list(resource, { namespace }, signal)).items;
    }
    for (const item of page.items) items.push(item);
    next = page.continue;
  } while (next !== undefined && next !== "");
  return items;
}

/** Reports whether an error concerns every request: no response, or no valid credentials. */
function isFatal(error: unknown): boolean {
  return !(error instanceof ApiError) || error.code === 401;
}

function problemOf(error: unknown, { resource, namespace }: Listing): string {
  if (!(error instanceof ApiError)) return messageOf(error);
  const name = qualifiedName(resource);
  switch (error.code) {
    case 401:
      return "the API server does not accept the credentials of this kubeconfig (401 Unauthorized)";
    case 403: {
      const where = namespace === undefined ? "in the whole cluster" : `in namespace ${namespace}`;
      return `permission to list ${name} ${where} is missing (403 Forbidden)`;
    }
    case 404:
      return `this API server does not have ${name}`;
    default:
      return `listing ${name}: ${error.message}`;
  }
}
