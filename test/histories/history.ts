import type { Answer, Content, Operation, Request, SeenCommit } from "./operation.ts";

/** What a watch delivered, from the revision at which it began. */
export interface WatchSegment {
  readonly watcher: string;
  readonly from: number;
  readonly revisions: number[];
}

/** All objects at one revision, as a list shows them. */
export interface Listing {
  readonly revision: number;
  readonly objects: ReadonlyMap<string, { readonly revision: number; readonly content: Content }>;
}

/** A promise of the API server that was not kept, and what clients saw of it. */
export interface Violation {
  readonly check: string;
  readonly details: string;
}

/** What clients sent and saw while one process served them. */
export class History {
  readonly operations: Operation[] = [];
  readonly seen: SeenCommit[] = [];
  readonly segments: WatchSegment[] = [];
  readonly violations: Violation[] = [];
  #now = 0;

  /** Sends a request and records it with its answer. */
  async record(
    { client, key, request }: Pick<Operation, "client" | "key" | "request">,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    const sentAt = ++this.#now;
    const answer = await send();
    const answeredAt = answer.kind === "unknown" ? Number.POSITIVE_INFINITY : ++this.#now;
    // A read that was not answered says nothing.
    if (answer.kind !== "unknown" || request.verb !== "get")
      this.operations.push({ client, key, request, answer, sentAt, answeredAt });
    if (answer.kind === "done" && answer.revision !== undefined)
      this.seen.push({ revision: answer.revision, key, content: contentOf(request) });
    return answer;
  }

  /** Records what a list showed after a start, as reads of these objects. */
  recordListing(client: string, listing: Listing, keys: readonly string[]): void {
    const sentAt = ++this.#now;
    const answeredAt = ++this.#now;
    for (const key of keys) {
      const content = listing.objects.get(key)?.content;
      const answer: Answer = { kind: "read", content };
      this.operations.push({ client, key, request: { verb: "get" }, answer, sentAt, answeredAt });
    }
  }

  violated(check: string, details: string): void {
    this.violations.push({ check, details });
  }
}

function contentOf(request: Request): Content {
  return request.verb === "create" || request.verb === "update" ? request.content : undefined;
}
