import { tooManyRequests } from "../../status-errors.ts";
import type { Exchange } from "../http-dependencies.ts";
import { ResponseWriter } from "./response-writer.ts";
import { writeResponseHead } from "./send-response.ts";

/**
 * Sends a text as it grows, until its end or until the client disconnects. It counts as a watch, because it lasts as
 * long.
 */
export async function sendTextStream(
  { response, deps }: Exchange,
  texts: AsyncIterable<string>,
): Promise<void> {
  if (deps.inFlight.watches >= deps.limits.watches)
    throw tooManyRequests("too many watches, please try again later", 1);
  deps.inFlight.watches++;
  try {
    if (response.destroyed) return;
    writeResponseHead(response, { type: "text/plain" });
    response.flushHeaders();
    const writer = new ResponseWriter(response, deps.clock);
    for await (const text of texts) {
      writer.add(Buffer.from(text));
      if (!(await writer.flush())) return;
    }
    response.end();
  } finally {
    deps.inFlight.watches--;
  }
}
