import { setMaxListeners } from "node:events";
import type { Status } from "../api/generated/meta-v1.ts";
import { heartbeatMs, type StreamEvent } from "./contract.ts";
import { type Forwarding, refusalOf } from "./forward-read.ts";
import { type ForwardedRead, forwardedWatch } from "./forwarded-request.ts";
import { badRequestStatus, type RefusalStatus } from "./refusal.ts";
import { batchMs, LineBatch } from "./line-batch.ts";
import { writeHead } from "./send.ts";
import { LineTagger } from "./tag-lines.ts";

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
