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
  /** Limits how long to wait for a browser that does not read. */
  readonly clock: Clock;
  /** Aborts when the browser has gone, its session is over or the server stops. */
  readonly signal: AbortSignal;
}

/** Forwards a read and passes the response on as fast as the browser reads it. */
export async function forwardRead(
  forwarding: Forwarding,
  path: string,
  contentType = "application/json",
): Promise<void> {
  const { open, response, clock, signal } = forwarding;
  try {
    const { body } = await open({ method: "GET", path }, signal);
    writeHead(response, 200, { "Content-Type": contentType });
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

/** Converts the error of a request to the API server: to the server's own Status, or to 502 if there was no response. */
export function refusalOf(error: unknown): RefusalStatus {
  if (!(error instanceof ApiError))
    return badGatewayStatus(`the API server does not answer: ${messageOf(error)}`);
  const { status, code, reason, message } = error;
  // The page takes 401 for the end of its session with this server, so rejected credentials of the user become 502.
  if (code === 401)
    return badGatewayStatus(`the API server does not accept the credentials of the user: ${message}`);
  return { ...refusal(code, reason, message), ...status, code, reason, message };
}
