import type { IncomingMessage } from "node:http";
import type { ApiError } from "../../../../machinery/client/api-error.ts";
import type { Clock } from "../../../../machinery/clock/clock.ts";
import { requestEntityTooLarge, timedOut } from "../../status-errors.ts";

/** The size of the largest body that is read. */
export const bodyLimit: number = 3 * 1024 * 1024;
/** How long a body may take to arrive. */
const bodyTimeoutMs = 34_000;

/** Reads a whole body; throws 413 for one that is too large, without keeping it, and 504 for one that does not arrive. */
export function readRequestBody(request: IncomingMessage, clock: Clock): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = clock.after(bodyTimeoutMs, () =>
      refuse(timedOut("the body of the request took too long to arrive")),
    );
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bodyLimit) chunks.push(chunk);
      else refuse(requestEntityTooLarge(`limit is ${bodyLimit}`));
    });
    request.on("end", () => {
      timer.cancel();
      resolve(Buffer.concat(chunks, size));
    });
    request.on("error", (error) => {
      timer.cancel();
      reject(error);
    });
    request.on("close", () => {
      timer.cancel();
      reject(new Error("the client went away"));
    });
    if (Number(request.headers["content-length"] ?? 0) > bodyLimit)
      refuse(requestEntityTooLarge(`limit is ${bodyLimit}`));

    // The rest is read and dropped: a client that is disconnected while it sends does not read the response.
    function refuse(failure: ApiError): void {
      chunks.length = 0;
      timer.cancel();
      reject(failure);
    }
  });
}
