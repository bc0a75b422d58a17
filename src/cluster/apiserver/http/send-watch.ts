import type { ServedResource } from "../served-resource.ts";
import type { WatchStream } from "../watch/watch-stream.ts";
import { drained } from "./drained.ts";
import type { Negotiated } from "./edge.ts";
import { startAnswer } from "./send.ts";
import { framingFor } from "./watch-frames.ts";
import { yieldToLoop } from "./yield-to-loop.ts";

/** How many events are written before others get their turn. */
const atOnce = 200;
/** A watcher this far behind is cut off; it can resume from where it was. */
const farthestBehind = 100_000;

/** Sends a watch as it happens, a line an event, until the stream or the client ends it. */
export async function sendWatch(
  exchange: Negotiated,
  resource: ServedResource,
  stream: WatchStream,
): Promise<void> {
  const { response, edge } = exchange;
  const frame = framingFor(exchange, resource);
  response.on("close", () => stream.end());
  startAnswer(response, {});
  response.flushHeaders();
  edge.load.watches++;
  try {
    while (!stream.ended || stream.waiting > 0) {
      await stream.ready();
      // What happens within one turn of the loop goes out together.
      await yieldToLoop();
      const items = stream.take(atOnce);
      if (items.length > 0) response.write(Buffer.concat(items.flatMap(frame)));
      if (!(await drained(response, edge.clock))) return;
      if (stream.waiting > farthestBehind) return;
    }
    response.end();
  } finally {
    edge.load.watches--;
    stream.end();
    if (!response.writableEnded) response.destroy();
  }
}
