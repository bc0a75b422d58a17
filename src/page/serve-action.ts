import type { IncomingMessage } from "node:http";
import type { Clock } from "../machinery/clock/clock.ts";
import { type Forwarding, refusalOf } from "./forward-read.ts";
import { performAction } from "./perform-action.ts";
import { readAction } from "./read-action.ts";
import { badRequest, refusal } from "./refusal.ts";
import { sendJson, sendRefusal } from "./send.ts";

/** Far more than an action has. */
const mostBytes = 4096;

/** Serves `POST /do`: reads the action, performs it by requests to the API server, says what came of it. */
export async function serveAction(
  request: IncomingMessage,
  { open, response, signal }: Forwarding,
  clusterClock: Clock,
): Promise<void> {
  const text = await readText(request);
  if (text === undefined) {
    const message = `an action has at most ${mostBytes} bytes`;
    sendRefusal(response, refusal(413, "RequestEntityTooLarge", message));
    return;
  }
  const read = readAction(text);
  if (!read.ok) {
    sendRefusal(response, badRequest(read.problem));
    return;
  }
  try {
    sendJson(response, await performAction(read.action, { open, clock: clusterClock, signal }));
  } catch (error) {
    sendRefusal(response, refusalOf(error));
  }
}

/** The body of a request; `undefined` when it is too long, however it is sent. */
async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > mostBytes) return undefined;
  }
  return Buffer.concat(chunks).toString("utf8");
}
