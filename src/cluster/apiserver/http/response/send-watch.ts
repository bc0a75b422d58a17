import type { ServedResource } from "../../served-resource.ts";
import type { PendingLimit, WatchEvents } from "../../watch/watch-stream.ts";
import type { NegotiatedExchange } from "../http-dependencies.ts";
import { ResponseWriter } from "./response-writer.ts";
import { writeResponseHead } from "./send-response.ts";
import { type WatchEncoder, watchEncoderFor } from "./watch-encoding.ts";

/** How many events are taken from the stream at a time. */
const batchSize = 200;
/** A client with more pending events is disconnected; it can resume from its last revision. */
export const maxPending: PendingLimit = { events: 100_000, bytes: 256 * 2 ** 20 };

/** Sends the events of a watch, a line each, until the stream ends or the client disconnects. */
export async function sendWatch(
  exchange: NegotiatedExchange,
  resource: ServedResource,
  stream: WatchEvents,
): Promise<void> {
  const { response, deps } = exchange;
  const encode = watchEncoderFor(exchange, resource);
  response.on("close", () => stream.end());
  stream.limitPending(maxPending, () => response.destroy());
  try {
    // A client may disconnect while its watch waits for a revision: the response is not closed a second time.
    if (response.destroyed) return;
    writeResponseHead(response, {});
    response.flushHeaders();
    const writer = new ResponseWriter(response, deps.clock);
    let isConnected = true;
    while (isConnected && (!stream.ended || stream.hasPending)) {
      await stream.ready();
      isConnected = await sendBatch(stream, encode, writer);
    }
    if (isConnected) response.end();
  } finally {
    stream.end();
    if (!response.writableEnded) response.destroy();
  }
}

/** Sends pending events; those that arrive meanwhile are sent by the next batch. */
async function sendBatch(
  stream: WatchEvents,
  encode: WatchEncoder,
  writer: ResponseWriter,
): Promise<boolean> {
  for (const event of stream.take(batchSize)) {
    writer.add(...encode(event));
    if (writer.isFull && !(await writer.flush())) return false;
  }
  return writer.flush();
}
