import type { ServedResource } from "../../served-resource.ts";
import type { WatchStream } from "../../watch/watch-stream.ts";
import type { NegotiatedExchange } from "../http-dependencies.ts";
import { ResponseWriter } from "./response-writer.ts";
import { writeResponseHead } from "./send-response.ts";
import { type WatchEncoder, watchEncoderFor } from "./watch-encoding.ts";

/** How many events are taken from the stream at a time. */
const batchSize = 200;
/** A client with more pending events is disconnected; it can resume from its last revision. */
const maxPendingEvents = 100_000;

/** Sends the events of a watch, a line each, until the stream ends or the client disconnects. */
export async function sendWatch(
  exchange: NegotiatedExchange,
  resource: ServedResource,
  stream: WatchStream,
): Promise<void> {
  const { response, deps } = exchange;
  const encode = watchEncoderFor(exchange, resource);
  response.on("close", () => stream.end());
  writeResponseHead(response, {});
  response.flushHeaders();
  deps.inFlight.watches++;
  const writer = new ResponseWriter(response, deps.clock);
  try {
    let isConnected = true;
    while (isConnected && (!stream.ended || stream.pending > 0)) {
      await stream.ready();
      isConnected = (await sendBatch(stream, encode, writer)) && stream.pending <= maxPendingEvents;
    }
    if (isConnected) response.end();
  } finally {
    deps.inFlight.watches--;
    stream.end();
    if (!response.writableEnded) response.destroy();
  }
}

/** Sends pending events; those that arrive meanwhile are sent by the next batch. */
async function sendBatch(
  stream: WatchStream,
  encode: WatchEncoder,
  writer: ResponseWriter,
): Promise<boolean> {
  for (const event of stream.take(batchSize)) {
    writer.add(...encode(event));
    if (writer.isFull && !(await writer.flush())) return false;
  }
  return writer.flush();
}
