import type { IncomingMessage } from "node:http";
import { kubectlLine } from "../user-actions/kubectl-line.ts";
import { performAction } from "../user-actions/perform-action.ts";
import type { ActionResult } from "./contract.ts";
import { type Forwarding, refusalOf } from "./forward-read.ts";
import type { Page } from "./page.ts";
import { readAction } from "./read-action.ts";
import { badRequestStatus, type RefusalStatus, refusal } from "./refusal.ts";
import { sendJson, sendRefusal } from "./send.ts";

/** The largest body that is read; actions are far smaller. */
const mostBytes = 4096;

/** Serves `POST /do`: reads the action, performs it, says what came of it. */
export async function serveAction(
  request: IncomingMessage,
  { response, signal }: Forwarding,
  { client, clock }: Pick<Page, "client" | "clock">,
): Promise<void> {
  const read = await readBody(request, readAction);
  if (!read.ok) {
    sendRefusal(response, read.refusal);
    return;
  }
  try {
    const { action } = read;
    const outcome = await performAction(action, { client, clock, signal });
    const result: ActionResult = { kubectl: kubectlLine(action), ...outcome };
    sendJson(response, result);
  } catch (error) {
    // The boundary of HTTP: a refused action throws an `ApiError`.
    sendRefusal(response, refusalOf(error));
  }
}

type ReadBody<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly refusal: RefusalStatus };

/** Reads the short body of a request. */
export async function readBody<T extends object>(
  request: IncomingMessage,
  read: (text: string) => ({ readonly ok: true } & T) | { readonly ok: false; readonly problem: string },
): Promise<ReadBody<T>> {
  const text = await readText(request);
  if (text === undefined) {
    const message = `an action has at most ${mostBytes} bytes`;
    return { ok: false, refusal: refusal(413, "RequestEntityTooLarge", message) };
  }
  const result = read(text);
  return result.ok ? result : { ok: false, refusal: badRequestStatus(result.problem) };
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
