/** The content of an object; `undefined`: there is none. Every write has a content of its own. */
export type Content = string | undefined;

/** What a client asks of one object. */
export type Request =
  | { readonly verb: "get" }
  | { readonly verb: "create"; readonly content: string }
  /** Succeeds only while the object has the content that was read before, by its `resourceVersion`. */
  | { readonly verb: "update"; readonly from: string; readonly content: string }
  | { readonly verb: "delete" };

/** What it was told. */
export type Answer =
  | { readonly kind: "read"; readonly content: Content }
  /** The write is acknowledged; a deletion does not say its revision. */
  | { readonly kind: "done"; readonly revision?: number | undefined }
  | { readonly kind: "exists" | "conflict" | "not-found" }
  /** No answer, or one after which the write may still take effect. */
  | { readonly kind: "unknown"; readonly because: string };

/** One request of a client, between the instants at which it was sent and answered. */
export interface Operation {
  readonly client: string;
  readonly key: string;
  readonly request: Request;
  readonly answer: Answer;
  /** The place of the request in the order of all that clients send and receive. */
  readonly sentAt: number;
  /** The place of the answer; a request without a usable one may take effect until the process ends. */
  readonly answeredAt: number;
}

/** What a client saw of a commit, by an answer or an event. */
export interface SeenCommit {
  readonly revision: number;
  readonly key: string;
  readonly content: Content;
}

/** One line of a log of operations. */
export function describeOperation(operation: Operation): string {
  const { client, key, sentAt, answeredAt } = operation;
  const until = Number.isFinite(answeredAt) ? String(answeredAt) : "…";
  return `${`[${sentAt}, ${until}]`.padEnd(14)} ${client.padEnd(10)} ${requestText(key, operation.request)} → ${answerText(operation)}`;
}

function requestText(key: string, request: Request): string {
  switch (request.verb) {
    case "get":
    case "delete":
      return `${request.verb} ${key}`;
    case "create":
      return `create ${key} = ${request.content}`;
    case "update":
      return `update ${key} from ${request.from} to ${request.content}`;
  }
}

function answerText({ answer }: Operation): string {
  switch (answer.kind) {
    case "read":
      return answer.content ?? "nothing";
    case "done":
      return answer.revision === undefined ? "done" : `done at ${answer.revision}`;
    case "unknown":
      return `unknown (${answer.because})`;
    case "exists":
    case "conflict":
    case "not-found":
      return answer.kind;
  }
}
