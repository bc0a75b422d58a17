import { type IncomingMessage, request as httpRequest } from "node:http";
import { messageOf } from "../../../../../api/message-of.ts";
import type { ApiResponse } from "../../../request/api-response.ts";
import { serviceUnavailable } from "../../../status-errors.ts";
import type { ForwardToLoopback } from "./loopback-request.ts";

const timeoutMs = 30_000;
const maxBytes = 3 * 2 ** 20;

/** Sends a request to a program on this machine, without its credentials; throws 503 when that fails. */
export const forwardToLoopback: ForwardToLoopback = (forwarded, clock) => {
  const { host, port, method, path, contentType, body, signal } = forwarded;
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(serviceUnavailable(`error trying to reach service: ${why}`));
    const sent = httpRequest(
      {
        host,
        port,
        method,
        path,
        agent: false,
        ...(signal !== undefined && { signal }),
        headers: {
          ...(contentType !== "" && { "Content-Type": contentType }),
          "Content-Length": body?.byteLength ?? 0,
        },
      },
      (answer) => {
        readAnswer(answer).then(resolve, (error: unknown) => fail(messageOf(error)));
      },
    );
    const timer = clock.after(timeoutMs, () =>
      sent.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)),
    );
    sent.on("close", () => timer.cancel());
    sent.on("error", (error) => fail(error.message));
    sent.end(body);
  });
};

async function readAnswer(answer: IncomingMessage): Promise<ApiResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return {
    kind: "raw",
    code: answer.statusCode ?? 200,
    contentType: answer.headers["content-type"] ?? "text/plain",
    bytes: Buffer.concat(chunks),
  };
}
