import type { Dispatcher } from "undici";
import type { Deadline } from "./deadline.ts";
import type { ResponseHead } from "./transport.ts";

/** A response with all of its body. */
export interface WholeResponse extends ResponseHead {
  readonly text: string;
}

/**
 * Sends a request and reads the response to its end. Rejects when the deadline passes, even while the request still
 * waits for a connection. Avoids undici's `request`, which creates a stream for every body.
 */
export function readWholeResponse(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  deadline: Deadline,
): Promise<WholeResponse> {
  return new Promise((resolve, reject) => {
    let code = 0;
    let headers: Readonly<Record<string, string | string[] | undefined>> = {};
    const chunks: Buffer[] = [];
    const header = (name: string) => [headers[name] ?? []].flat()[0];
    deadline.throwIfAborted();
    deadline.onAbort(reject); // while it waits for a connection
    dispatcher.dispatch(options, {
      onRequestStart(controller) {
        if (deadline.aborted !== undefined) controller.abort(asError(deadline.aborted.reason));
        else deadline.onAbort((reason) => controller.abort(asError(reason)));
      },
      onResponseStart(_, statusCode, received) {
        code = statusCode;
        headers = received;
      },
      onResponseData(_, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        deadline.onAbort(undefined);
        const [only] = chunks;
        const body = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
        resolve({ code, header, text: body.toString("utf8") });
      },
      onResponseError(_, error) {
        deadline.onAbort(undefined);
        reject(error);
      },
    });
  });
}

const asError = (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason)));
