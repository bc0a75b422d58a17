import type { Content, Operation } from "./operation.ts";

/**
 * Returns what an object may hold after a process was killed, given what it may have held at its start and what clients
 * did meanwhile; empty when no order of the operations explains their answers. The order has to keep to their times
 * (Wing and Gong's search, with a memory of what was tried). A process that is killed loses the last of its writes, but
 * none that it acknowledged: the object holds what it held at some place of the order behind all acknowledged writes.
 */
export function contentsAfter(
  operations: readonly Operation[],
  before: ReadonlySet<Content>,
): ReadonlySet<Content> {
  const after = new Set<Content>();
  const search = newSearch(operations, after);
  for (const content of before) search({ done: 0n, content, survivor: undefined });
  return after;
}

/** A place in an order: the operations before it, what the object holds, and what is on disk for ever if that is chosen. */
interface Place {
  readonly done: bigint;
  readonly content: Content;
  readonly survivor: { readonly content: Content } | undefined;
}

function newSearch(operations: readonly Operation[], after: Set<Content>): (place: Place) => void {
  const tried = new Set<string>();
  const search = (place: Place): void => {
    const name = nameOf(place);
    if (tried.has(name)) return;
    tried.add(name);
    const rest = operations.map((_, index) => index).filter((index) => (place.done & bit(index)) === 0n);
    // A write without an answer need not have happened at all.
    if (rest.every((index) => !isAnswered(operations[index]))) after.add((place.survivor ?? place).content);
    if (place.survivor === undefined) search({ ...place, survivor: { content: place.content } });
    const earliest = Math.min(...rest.map((index) => operations[index]?.answeredAt ?? 0));
    for (const index of rest) {
      const operation = operations[index];
      if (operation === undefined || operation.sentAt > earliest) continue;
      const next = takeEffect(operation, place);
      if (next !== undefined) search({ ...next, done: place.done | bit(index) });
    }
  };
  return search;
}

const bit = (index: number) => 1n << BigInt(index);
const isAnswered = (operation: Operation | undefined) => operation?.answer.kind !== "unknown";

function nameOf({ done, content, survivor }: Place): string {
  return `${done} ${content ?? ""} ${survivor === undefined ? "" : `left ${survivor.content ?? ""}`}`;
}

/** Returns the place after an operation; `undefined` when it cannot have had its answer there. */
function takeEffect(operation: Operation, place: Place): Place | undefined {
  const { answer, request } = operation;
  const { content } = place;
  switch (answer.kind) {
    case "read":
      return answer.content === content ? place : undefined;
    case "exists":
      return content === undefined ? undefined : place;
    case "not-found":
      return content === undefined ? place : undefined;
    case "conflict":
      return request.verb === "update" && content !== undefined && content !== request.from
        ? place
        : undefined;
    case "unknown":
      return written(operation, place);
    case "done":
      // What is left on disk has every acknowledged write.
      return place.survivor === undefined ? written(operation, place) : undefined;
  }
}

function written({ request }: Operation, place: Place): Place | undefined {
  const { content } = place;
  switch (request.verb) {
    case "get":
      return place;
    case "create":
      return content === undefined ? { ...place, content: request.content } : undefined;
    case "update":
      return content === request.from ? { ...place, content: request.content } : undefined;
    case "delete":
      return content === undefined ? undefined : { ...place, content: undefined };
  }
}
