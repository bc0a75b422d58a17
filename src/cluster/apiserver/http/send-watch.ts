import type { ServedResource } from "../served-resource.ts";
import type { WatchStream } from "../watch/watch-stream.ts";
import type { Negotiated } from "./edge.ts";
import { Outlet } from "./outlet.ts";
import { startAnswer } from "./send.ts";
import { type Framing, framingFor } from "./watch-frames.ts";

/** How many events are taken at a time. */
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
  const outlet = new Outlet(response, edge.clock);
  try {
    let isHeard = true;
    while (isHeard && (!stream.ended || stream.waiting > 0)) {
      await stream.ready();
      isHeard = (await pass(stream, frame, outlet)) && stream.waiting <= farthestBehind;
    }
    if (isHeard) response.end();
  } finally {
    edge.load.watches--;
    stream.end();
    if (!response.writableEnded) response.destroy();
  }
}

/** Hands on what is waiting; what happens meanwhile goes out together with the next pass. */
async function pass(stream: WatchStream, frame: Framing, outlet: Outlet): Promise<boolean> {
  for (const item of stream.take(atOnce)) {
    outlet.add(...frame(item));
    if (outlet.isFull && !(await outlet.flush())) return false;
  }
  return outlet.flush();
}
