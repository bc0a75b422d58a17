import type { History, Listing, Violation } from "./history.ts";
import { contentsAfter } from "./linearizability.ts";
import { type Content, describeOperation, type Operation, type SeenCommit } from "./operation.ts";

/** Checks the histories of processes that served the same objects one after the other. */
export class HistoryChecker {
  /** What each object may hold now. */
  readonly #contents = new Map<string, ReadonlySet<Content>>();
  /** The last writes of each object in the process before. */
  readonly #lastWrites = new Map<string, readonly Operation[]>();
  /** The content that each revision has been seen with. */
  readonly #meanings = new Map<number, string>();
  /** The commits that the last process showed. */
  #shown: readonly SeenCommit[] = [];
  /** Acknowledged commits, which every later process has. */
  readonly #acknowledged: SeenCommit[] = [];

  /** Checks what is left of the last process; returns the first promise that was broken, if any. */
  checkStart({ objects }: Listing): Violation | undefined {
    const newest = Math.max(
      ...this.#shown.map(({ revision }) => revision).filter((each) => hasRevision(objects, each)),
    );
    for (const { revision, key, content } of this.#shown) {
      const left = objects.get(key);
      if (revision <= newest && left !== undefined && left.revision < revision)
        return {
          check: "a state that was",
          details: `${key} is left at revision ${left.revision} and lacks ${content ?? "its deletion"} of ${revision}, but a commit of ${newest} is left`,
        };
    }
    return undefined;
  }

  /** Checks the history of a process that has ended; returns the first promise that was broken, if any. */
  checkRun(history: History): Violation | undefined {
    this.#shown = history.seen;
    this.#acknowledged.push(
      ...history.operations.flatMap(({ key, request, answer }) =>
        answer.kind === "done" && answer.revision !== undefined && "content" in request
          ? [{ revision: answer.revision, key, content: request.content }]
          : [],
      ),
    );
    return (
      history.violations[0] ??
      this.#checkMeanings(history.seen) ??
      checkOrder(history.operations) ??
      this.#checkSegments(history) ??
      this.#checkObjects(history.operations)
    );
  }

  #checkMeanings(seen: readonly SeenCommit[]): Violation | undefined {
    for (const { revision, key, content } of seen) {
      const meaning = `${key} ${content === undefined ? "deleted" : `= ${content}`}`;
      const known = this.#meanings.get(revision) ?? meaning;
      if (known !== meaning)
        return { check: "one meaning", details: `revision ${revision} is ${known} and ${meaning}` };
      this.#meanings.set(revision, meaning);
    }
    return undefined;
  }

  /** A watch leaves nothing out between its first and last revision. */
  #checkSegments({ segments, seen }: History): Violation | undefined {
    const committed = [...this.#acknowledged, ...seen];
    for (const { watcher, from, revisions } of segments) {
      const delivered = new Set(revisions);
      const last = revisions.at(-1) ?? from;
      const missed = committed.find(
        ({ revision }) => revision > from && revision <= last && !delivered.has(revision),
      );
      if (missed !== undefined)
        return {
          check: "no gap",
          details: `${watcher} watched from ${from} to ${last} and did not get ${missed.key} = ${missed.content ?? "deleted"} of ${missed.revision}`,
        };
    }
    return undefined;
  }

  #checkObjects(operations: readonly Operation[]): Violation | undefined {
    const keys = new Set(operations.map(({ key }) => key));
    for (const key of keys) {
      const before = this.#contents.get(key) ?? new Set([undefined]);
      const own = operations.filter((operation) => operation.key === key);
      const after = contentsAfter(own, before);
      if (after.size === 0) {
        const earlier = (this.#lastWrites.get(key) ?? []).map(describeOperation);
        const details = [...earlier, ...shortestFailure(own, before)].join("\n");
        return { check: "linearizable", details };
      }
      this.#contents.set(key, after);
      this.#lastWrites.set(key, own.filter(isWrite).slice(-shownWrites));
    }
    return undefined;
  }
}

/** How many writes of the process before are shown with a failure. */
const shownWrites = 6;

function hasRevision(objects: Listing["objects"], revision: number): boolean {
  for (const object of objects.values()) if (object.revision === revision) return true;
  return false;
}

/** A write that was sent after another had been acknowledged has a later revision. */
function checkOrder(operations: readonly Operation[]): Violation | undefined {
  const writes = operations.flatMap((operation) =>
    operation.answer.kind === "done" && operation.answer.revision !== undefined
      ? [{ operation, revision: operation.answer.revision }]
      : [],
  );
  for (const later of writes) {
    const earlier = writes.find(
      ({ operation, revision }) =>
        operation.answeredAt < later.operation.sentAt && revision >= later.revision,
    );
    if (earlier !== undefined)
      return {
        check: "order of revisions",
        details: [earlier, later].map(({ operation }) => describeOperation(operation)).join("\n"),
      };
  }
  return undefined;
}

/** The operations up to the first answer that no order explains, without the reads that do not matter. */
function shortestFailure(operations: readonly Operation[], before: ReadonlySet<Content>): readonly string[] {
  const fails = (some: readonly Operation[]) => contentsAfter(some, before).size === 0;
  const ends = operations.map(({ answeredAt }) => answeredAt).sort((a, b) => a - b);
  const end = ends.find((each) => fails(asOf(operations, each))) ?? Number.POSITIVE_INFINITY;
  let shortest = asOf(operations, end);
  for (const operation of shortest) {
    const rest = shortest.filter((each) => each !== operation);
    if (!isWrite(operation) && fails(rest)) shortest = rest;
  }
  const held = [...before].map((content) => content ?? "nothing").join(" or ");
  return [`the process starts; it may hold ${held}`, ...shortest.map(describeOperation)];
}

const isWrite = ({ answer }: Operation) => answer.kind === "done" || answer.kind === "unknown";

/** The history as it was at an instant: requests that were under way have no answer. */
function asOf(operations: readonly Operation[], instant: number): readonly Operation[] {
  return operations.flatMap((operation): readonly Operation[] => {
    if (operation.sentAt > instant) return [];
    if (operation.answeredAt <= instant) return [operation];
    if (operation.answer.kind !== "unknown" && !isWrite(operation)) return [];
    const answer = { kind: "unknown", because: "not answered yet" } as const;
    return [{ ...operation, answer, answeredAt: Number.POSITIVE_INFINITY }];
  });
}
