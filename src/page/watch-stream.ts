import { setMaxListeners } from "node:events";
import type { Status } from "../api/generated/meta-v1.ts";
import { heartbeatMs, type StreamEvent } from "./contract.ts";
import { type Forwarding, refusalOf } from "./forward-read.ts";
import { type ForwardedRead, forwardedWatch } from "./forwarded-request.ts";
import { badRequestStatus, type RefusalStatus } from "./refusal.ts";
import { writeHead } from "./send.ts";
import type { ServerResponse } from "node:http";
import { type Clock, elapsedMs, type Timer } from "../machinery/clock/clock.ts";
import { waitForDrain } from "../machinery/https-server/wait-for-drain.ts";

/** The limit of watches in one request: more than the page has kinds to watch. */
const mostWatches = 24;

export type ReadWatches =
  | { readonly ok: true; readonly watches: readonly ForwardedRead[] }
  | { readonly ok: false; readonly refusal: RefusalStatus };

/** Reads the query of `/watch`: all of its watches, or why one of them is refused. */
export function readWatches(query: string): ReadWatches {
  const parameters = new URLSearchParams(query);
  const targets = parameters.getAll("of");
  if (targets.length !== parameters.size) return refused("the only parameter of /watch is of");
  if (targets.length === 0 || targets.length > mostWatches)
    return refused(`/watch takes 1 to ${mostWatches} paths to watch`);
  const watches: ForwardedRead[] = [];
  for (const read of targets.map(forwardedWatch)) {
    if (!read.ok) return read;
    watches.push(read.request);
  }
  return { ok: true, watches };
}

const refused = (message: string): ReadWatches => ({ ok: false, refusal: badRequestStatus(message) });

/**
 * A watch is read again at once only after so many bytes, and otherwise a little later: meanwhile the API server gathers events,
 * since to send a few costs nearly as much as to send many.
 */
const manyBytes = 8 * 1024;

/** Sends the events of several watches as lines of one response, until all of them have ended or the browser has gone. */
export async function sendWatches(forwarding: Forwarding, watches: readonly ForwardedRead[]): Promise<void> {
  const { response, clock, signal } = forwarding;
  writeHead(response, 200, { "Content-Type": "text/plain; charset=utf-8" });
  response.flushHeaders();
  // Every watch waits for the same browser, and ends with it.
  response.setMaxListeners(0);
  setMaxListeners(0, signal);
  const batch = new LineBatch(response, clock);
  const stopHeartbeat = startHeartbeat(forwarding, batch);
  try {
    await Promise.all(watches.map((watch, index) => sendWatch(forwarding, batch, { ...watch, index })));
    batch.flush();
    response.end();
  } finally {
    stopHeartbeat();
  }
}

async function sendWatch(
  { open, clock, signal }: Forwarding,
  batch: LineBatch,
  { path, index }: ForwardedRead & { readonly index: number },
): Promise<void> {
  const tagger = new LineTagger(`${index} `);
  const say = (event: StreamEvent) => batch.add(lineOf(String(index), event));
  let end: Status = { kind: "Status", apiVersion: "v1", status: "Success", code: 200 };
  try {
    const { body } = await open({ method: "GET", path }, signal);
    await say({ type: "OPENED" });
    for await (const chunk of body) {
      if (!(await batch.add(tagger.push(chunk)))) return;
      if (chunk.byteLength < manyBytes) await clock.sleep(batchMs, signal);
    }
  } catch (error) {
    if (signal.aborted) return;
    end = refusalOf(error);
  }
  await say({ type: "CLOSED", object: end });
}

const lineOf = (tag: string, event: StreamEvent) => `${tag} ${JSON.stringify(event)}\n`;

/** Sends heartbeats, by which the browser notices that the server is gone. */
function startHeartbeat({ response, clock }: Forwarding, batch: LineBatch): () => void {
  const beat = () => {
    // Adds nothing while the browser has unread bytes.
    if (!response.writableNeedDrain) void batch.add(lineOf("-", { type: "HEARTBEAT" }));
    timer = clock.after(heartbeatMs, beat);
  };
  let timer = clock.after(heartbeatMs, beat);
  return () => timer.cancel();
}

/** How long lines are collected: one write for each of thousands of events would cost more than the events do. */
const batchMs = 40;
/** Writes immediately once this many bytes are collected. */
const batchBytes = 64 * 1024;

/** Writes lines to a browser in batches. Writers wait for a slow browser, which bounds memory. */
class LineBatch {
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  #lines: Uint8Array[] = [];
  #bytes = 0;
  #timer: Timer | undefined;
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(response: ServerResponse, clock: Clock) {
    this.#response = response;
    this.#clock = clock;
  }

  /** Adds whole lines; resolves when more may follow, with `false` when the browser has gone. */
  add(lines: Uint8Array | string): Promise<boolean> {
    const bytes = typeof lines === "string" ? Buffer.from(lines) : lines;
    this.#lines.push(bytes);
    this.#bytes += bytes.byteLength;
    const waitMs = this.#writtenAt + batchMs - elapsedMs(this.#clock);
    if (this.#bytes >= batchBytes || waitMs <= 0) this.flush();
    else this.#timer ??= this.#clock.after(waitMs, () => this.flush());
    return waitForDrain(this.#response, this.#clock);
  }

  /** Writes the collected lines. */
  flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#bytes === 0 || this.#response.destroyed) return;
    this.#response.write(Buffer.concat(this.#lines, this.#bytes));
    this.#writtenAt = elapsedMs(this.#clock);
    this.#lines = [];
    this.#bytes = 0;
  }
}

const newline = 0x0a;
/** The longest line that is accepted: far longer than any object of an API server. */
const longestLine = 16 * 2 ** 20;

/** Puts a tag before every line of a stream of bytes, wherever its chunks end. */
export class LineTagger {
  readonly #tag: Uint8Array;
  /** The beginning of a line that has not ended. */
  #begun: Uint8Array[] = [];
  #begunBytes = 0;

  constructor(tag: string) {
    this.#tag = Buffer.from(tag);
  }

  /** The lines that the chunk completes; throws when a line is too long to be an object. */
  push(chunk: Uint8Array): Uint8Array {
    const tagged: Uint8Array[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      tagged.push(this.#tag, ...this.#begun, chunk.subarray(start, end + 1));
      this.#begun = [];
      this.#begunBytes = 0;
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
    return Buffer.concat(tagged);
  }

  #hold(rest: Uint8Array): void {
    if (rest.byteLength === 0) return;
    this.#begun.push(rest);
    this.#begunBytes += rest.byteLength;
    if (this.#begunBytes > longestLine) throw new Error(`a line is longer than ${longestLine} bytes`);
  }
}
