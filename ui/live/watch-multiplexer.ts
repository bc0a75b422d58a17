import type { Status } from "../../src/api/generated/meta-v1.ts";
import { ApiError } from "../../src/machinery/client/api-error.ts";
import { apiErrorOf } from "../../src/machinery/client/http/response.ts";
import type { Clock, Timer } from "../../src/machinery/clock/clock.ts";
import { EventChannel } from "./event-channel.ts";

/** Watches that are asked for within this time share a connection: a browser has six per origin. */
const gatherMs = 20;
/** Replaces `gatherMs` once a connection was open: its watches end at about the same time, but not in the same moment. */
const gatherAgainMs = 200;
/** The server sends a line every 15 s at least. */
const longestSilenceMs = 40_000;
/** Reading the connection pauses while this many lines are unread. */
const mostWaiting = 5000;

export interface MultiplexerOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}

interface Wanted {
  /** Path and query of the watch. */
  readonly path: string;
  readonly channel: EventChannel;
  readonly opened: () => void;
}

/** Many watches over one connection: `GET /watch?of=…&of=…`, whose lines begin with the index of their watch. */
export class WatchMultiplexer {
  readonly #options: MultiplexerOptions;
  readonly #connections = new Map<AbortController, readonly Wanted[]>();
  #gathered: Wanted[] = [];

  constructor(options: MultiplexerOptions) {
    this.#options = options;
  }

  /** Opens a watch; aborting the signal ends it. `opened` is called once the API server has answered. */
  open(path: string, opened: () => void, signal: AbortSignal): EventChannel {
    const channel = new EventChannel();
    const abort = () => {
      channel.end({ error: signal.reason });
      this.#closeUnread();
    };
    signal.addEventListener("abort", abort, { once: true });
    const waitMs = this.#connections.size === 0 ? gatherMs : gatherAgainMs;
    if (this.#gathered.length === 0) this.#options.clock.after(waitMs, () => void this.#connect());
    this.#gathered.push({ path, channel, opened });
    return channel;
  }

  /** Ends all connections, and with them their watches, for a reason that the connections themselves do not show. */
  cut(error: unknown): void {
    for (const connection of this.#connections.keys()) connection.abort(error);
  }

  /** Closes connections whose watches have all ended: another tab of the browser may wait for one. */
  #closeUnread(): void {
    for (const [connection, wanted] of this.#connections)
      if (wanted.every(({ channel }) => channel.isEnded)) connection.abort();
  }

  async #connect(): Promise<void> {
    const wanted = this.#gathered.filter(({ channel }) => !channel.isEnded);
    this.#gathered = [];
    if (wanted.length === 0) return;
    const connection = new AbortController();
    this.#connections.set(connection, wanted);
    try {
      await this.#follow(wanted, connection);
      for (const { channel } of wanted) channel.end();
    } catch (error) {
      // The readers of the watches throw it and reconnect.
      for (const { channel } of wanted) channel.end({ error });
    } finally {
      this.#connections.delete(connection);
      connection.abort();
    }
  }

  async #follow(wanted: readonly Wanted[], connection: AbortController): Promise<void> {
    const { clock, fetch } = this.#options;
    let silence: Timer | undefined;
    const heard = () => {
      silence?.cancel();
      silence = clock.after(longestSilenceMs, () =>
        connection.abort(new Error(`nothing was heard from the server for ${longestSilenceMs / 1000} s`)),
      );
    };
    try {
      heard();
      const path = `/watch?${wanted.map((each) => `of=${encodeURIComponent(each.path)}`).join("&")}`;
      const response = await fetch(path, { signal: connection.signal });
      if (!response.ok || response.body === null)
        throw apiErrorOf({ method: "GET", path: "/watch" }, response.status, await response.text());
      const deliver = delivery(wanted);
      for await (const line of linesOf(response.body)) {
        heard();
        deliver(line);
        if (wanted.every(({ channel }) => channel.isEnded)) return;
        while (wanted.some(({ channel }) => channel.waiting > mostWaiting)) await clock.sleep(1);
      }
    } finally {
      silence?.cancel();
    }
  }
}

/** Hands a line to the watch it belongs to. */
function delivery(wanted: readonly Wanted[]): (line: string) => void {
  return (line) => {
    const space = line.indexOf(" ");
    const watch = wanted[Number(line.slice(0, space))];
    if (watch === undefined) return; // a heartbeat, which belongs to none
    const event = line.slice(space + 1);
    if (event.startsWith('{"type":"OPENED"')) watch.opened();
    else if (event.startsWith('{"type":"CLOSED"')) close(watch.channel, event);
    else watch.channel.push(event);
  };
}

function close(channel: EventChannel, event: string): void {
  const { object } = JSON.parse(event) as { readonly object: Status };
  channel.end(object.code === 200 ? {} : { error: new ApiError(object) });
}

/** The lines of a body, wherever its chunks end. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = "";
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const lines = (rest + read.value).split("\n");
      rest = lines.pop() ?? "";
      yield* lines.filter((line) => line !== "");
    }
  } finally {
    await reader.cancel();
  }
}
