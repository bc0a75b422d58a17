import type { Container, Pod } from "../../../../../api/generated/core-v1.ts";
import { type ContainerLog, containerLog, type LogLine } from "../../../../kubelet/container-log.ts";
import type { ApiRequest } from "../../../request/api-request.ts";
import { collectionOf, type ServerContext } from "../../../server-context.ts";
import { requestKey } from "../../../storage/stored-object.ts";
import type { LogOptions } from "./log-options.ts";
import { ByteLimit, logText, selectedLines } from "./log-text.ts";

/** The log to follow. */
export interface FollowedLog {
  readonly request: ApiRequest;
  readonly pod: Pod;
  readonly container: Container;
  readonly options: LogOptions;
}

/** Yields the text of a log as it grows, until its container has ended, its Pod is gone, or the client disconnects. */
export async function* followLog(context: ServerContext, followed: FollowedLog): AsyncIterable<string> {
  const { request, options } = followed;
  const changes = new Changes(context, request.signal);
  const scope = { of: "key", key: requestKey(request) } as const;
  const unsubscribe = collectionOf(context, request.resource).subscribe(scope, () => changes.notify());
  const limit = new ByteLimit(options.limitBytes);
  const newLines = lineFilter(options);
  try {
    let log = readLog(context, followed);
    while (log !== undefined) {
      const added = newLines(log.lines);
      if (added.length > 0) yield limit.cut(logText(added, options));
      if (log.ended || limit.isReached || changes.isAborted) return;
      await changes.next(log.nextAt);
      log = readLog(context, followed);
    }
  } finally {
    unsubscribe();
    changes.close();
  }
}

/** Returns the present log; `undefined` when the Pod is gone. */
function readLog(
  context: ServerContext,
  { request, pod, container, options }: FollowedLog,
): ContainerLog | undefined {
  const stored = collectionOf(context, request.resource).get(requestKey(request))?.object as Pod | undefined;
  if (stored === undefined || stored.metadata.uid !== pod.metadata.uid) return undefined;
  return containerLog(stored, container, { now: context.clock.now(), previous: options.previous });
}

/**
 * Returns a filter that selects the lines of the options at first, and then the lines that are new since its last call.
 */
function lineFilter(options: LogOptions): (lines: readonly LogLine[]) => readonly LogLine[] {
  let known: ReadonlySet<string> | undefined;
  return (lines) => {
    const before = known;
    known = new Set(lines.map(({ key }) => key));
    return before === undefined ? selectedLines(lines, options) : lines.filter(({ key }) => !before.has(key));
  };
}

/** Waits for the next change of the Pod, for a time, or for the client to disconnect. */
class Changes {
  readonly #context: ServerContext;
  readonly #signal: AbortSignal | undefined;
  readonly #abort = () => this.notify();
  #isPending = false;
  #wake: (() => void) | undefined;

  constructor(context: ServerContext, signal: AbortSignal | undefined) {
    this.#context = context;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#abort);
  }

  get isAborted(): boolean {
    return this.#signal?.aborted ?? false;
  }

  notify(): void {
    this.#isPending = true;
    this.#wake?.();
  }

  async next(at: number | undefined): Promise<void> {
    const { clock } = this.#context;
    const timer =
      at === undefined ? undefined : clock.after(Math.max(0, at - clock.now()), () => this.notify());
    if (!this.#isPending)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    timer?.cancel();
    this.#wake = undefined;
    this.#isPending = false;
  }

  close(): void {
    this.#signal?.removeEventListener("abort", this.#abort);
  }
}
