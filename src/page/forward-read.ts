import type { ServerResponse } from "node:http";
import { messageOf } from "../api/message-of.ts";
import { ApiError } from "../machinery/client/api-error.ts";
import type { OpenRequest } from "../machinery/client/http/transport.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import { waitForDrain } from "../machinery/https-server/wait-for-drain.ts";
import { badGatewayStatus, type RefusalStatus, refusal } from "./refusal.ts";
import { sendRefusal, writeHead } from "./send.ts";

/** How a request of the page reaches the API server, and where the response goes. */
export interface Forwarding {
  readonly open: OpenRequest;
  readonly response: ServerResponse;
  /** By which a browser that does not read is waited for. */
  readonly clock: Clock;
  /** Aborts when the browser has gone, its session is over or the server stops. */
  readonly signal: AbortSignal;
}

/** Forwards a read; its response is passed on at the pace at which the browser reads. */
export async function forwardRead(forwarding: Forwarding, path: string): Promise<void> {
  const { open, response, clock, signal } = forwarding;
  try {
    const { body } = await open({ method: "GET", path }, signal);
    writeHead(response, 200, { "Content-Type": "application/json" });
    response.flushHeaders(); // a watch may have nothing to say for long
    for await (const chunk of body) {
      response.write(chunk);
      if (!(await waitForDrain(response, clock))) return;
    }
    response.end();
  } catch (error) {
    // A browser that has gone reads no error; `sendRefusal` closes the connection where the response has begun.
    if (signal.aborted) response.destroy();
    else sendRefusal(response, refusalOf(error));
  }
}

/** What a failed request to the API server is for the page: the server's own Status, or that it is not reachable. */
export function refusalOf(error: unknown): RefusalStatus {
  if (!(error instanceof ApiError))
    return badGatewayStatus(`the API server does not answer: ${messageOf(error)}`);
  const { status, code, reason, message } = error;
  // To a browser, 401 says that its session with this server has ended; the user's credentials are another matter.
  if (code === 401)
    return badGatewayStatus(`the API server does not accept the credentials of the user: ${message}`);
  return { ...refusal(code, reason, message), ...status, code, reason, message };
}
