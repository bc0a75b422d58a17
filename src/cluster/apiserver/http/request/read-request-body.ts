import type { IncomingMessage } from "node:http";
import type { ApiError } from "../../../../machinery/client/api-error.ts";
import type { Clock } from "../../../../machinery/clock/clock.ts";
import { requestEntityTooLarge, timedOut, tooManyRequests } from "../../status-errors.ts";
import type { BodyReservation } from "./body-reservation.ts";

/** The size of the largest body that is read. */
const bodyLimit = 3 * 1024 * 1024;
/** How long a body may take to arrive. */
const bodyTimeoutMs = 34_000;

/**
 * Reads a whole body; throws 413 for a body that is too large, without keeping it, 429 when all bodies together are too
 * large, and 504 for a body that does not arrive.
 */
export function readRequestBody(
  request: IncomingMessage,
  clock: Clock,
  reservation: BodyReservation,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isRefused = false;
    let isRead = false;
    const timer = clock.after(bodyTimeoutMs, () =>
      refuse(timedOut("the body of the request took too long to arrive")),
    );
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (isRefused) return;
      const problem = problemOf(size, reservation);
      if (problem === undefined) chunks.push(chunk);
      else refuse(problem);
    });
    request.on("end", () => {
      timer.cancel();
      isRead = true;
      const [only = noBytes] = chunks;
      resolve(chunks.length > 1 ? Buffer.concat(chunks) : only);
    });
    request.on("error", (error) => {
      timer.cancel();
      reject(error);
    });
    // Every request closes, and an error is expensive because of its stack.
    request.on("close", () => {
      if (isRead) return;
      timer.cancel();
      reject(new Error("the client went away"));
    });
    if (Number(request.headers["content-length"] ?? 0) > bodyLimit) refuse(tooLarge());

    // The rest is read and dropped: a client that is disconnected while it sends does not read the response.
    function refuse(failure: ApiError): void {
      isRefused = true;
      chunks.length = 0;
      reservation.release();
      timer.cancel();
      reject(failure);
    }
  });
}

const noBytes = Buffer.alloc(0);

const tooLarge = () => requestEntityTooLarge(`limit is ${bodyLimit}`);

function problemOf(size: number, reservation: BodyReservation): ApiError | undefined {
  if (size > bodyLimit) return tooLarge();
  if (reservation.grow(size)) return undefined;
  return tooManyRequests("too many large requests at a time, please try again later", 1);
}
