import type { ServedResource } from "../../served-resource.ts";
import type { WatchStream } from "../../watch/watch-stream.ts";
import type { NegotiatedExchange } from "../http-dependencies.ts";
import { ResponseWriter } from "./response-writer.ts";
import { writeResponseHead } from "./send-response.ts";
import { type WatchEncoder, watchEncoderFor } from "./watch-encoding.ts";

/** How many events are taken at a time. */
const atOnce = 200;
/** A watcher this far behind is cut off; it can resume from where it was. */
const farthestBehind = 100_000;

/** Sends a watch as it happens, a line an event, until the stream or the client ends it. */
export async function sendWatch(
  exchange: NegotiatedExchange,
  resource: ServedResource,
  stream: WatchStream,
): Promise<void> {
  const { response, deps } = exchange;
  const frame = watchEncoderFor(exchange, resource);
  response.on("close", () => stream.end());
  writeResponseHead(response, {});
  response.flushHeaders();
  deps.inFlight.watches++;
  const outlet = new ResponseWriter(response, deps.clock);
  try {
    let isHeard = true;
    while (isHeard && (!stream.ended || stream.pending > 0)) {
      await stream.ready();
      isHeard = (await pass(stream, frame, outlet)) && stream.pending <= farthestBehind;
    }
    if (isHeard) response.end();
  } finally {
    deps.inFlight.watches--;
    stream.end();
    if (!response.writableEnded) response.destroy();
  }
}

/** Hands on what is waiting; what happens meanwhile goes out together with the next pass. */
async function pass(stream: WatchStream, frame: WatchEncoder, outlet: ResponseWriter): Promise<boolean> {
  for (const item of stream.take(atOnce)) {
    outlet.add(...frame(item));
    if (outlet.isFull && !(await outlet.flush())) return false;
  }
  return outlet.flush();
}
