import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { ServedResource } from "../../served-resource.ts";
import { badRequest } from "../../status-errors.ts";
import type { ServedWatchEvent } from "../../watch/served-watch-event.ts";
import type { WatchEvents } from "../../watch/watch-stream.ts";
import type { NegotiatedExchange } from "../http-dependencies.ts";
import { maxPending } from "../response/send-watch.ts";
import { type WatchEncoder, watchEncoderFor } from "../response/watch-encoding.ts";
import { acceptKey, type Frame, opcodes, readFrames } from "./frames.ts";
import { WebSocketSender } from "./web-socket-sender.ts";

/** How many events are taken from the stream at a time. */
const batchSize = 200;

/** Reports whether a client asks for a WebSocket. */
export function isWebSocketRequest({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

/** Sends the events of a watch over a WebSocket, a text message each, until the stream ends or the client disconnects. */
export async function sendWebSocketWatch(
  exchange: NegotiatedExchange,
  resource: ServedResource,
  stream: WatchEvents,
): Promise<void> {
  try {
    await sendEvents(exchange, openWebSocket(exchange), {
      stream,
      encode: watchEncoderFor(exchange, resource),
    });
  } finally {
    stream.end();
  }
}

async function sendEvents(
  { deps }: NegotiatedExchange,
  socket: Socket,
  { stream, encode }: { readonly stream: WatchEvents; readonly encode: WatchEncoder },
): Promise<void> {
  socket.on("close", () => stream.end());
  stream.limitPending(maxPending, () => socket.destroy());
  const sender = new WebSocketSender(socket, deps.clock);
  answerFrames(socket, sender);
  const send = (event: ServedWatchEvent) => sender.sendText(encode(event));
  try {
    let isConnected = !socket.destroyed;
    while (isConnected && (!stream.ended || stream.hasPending)) {
      await stream.ready();
      isConnected = await sendBatch(stream, send);
    }
    if (isConnected) sender.close(1000);
  } finally {
    if (!socket.writableEnded) socket.destroy();
  }
}

/** Sends pending events one by one, as the client reads them; `false` when it has disconnected. */
async function sendBatch(
  stream: WatchEvents,
  send: (event: ServedWatchEvent) => Promise<boolean>,
): Promise<boolean> {
  for (const event of stream.take(batchSize)) if (!(await send(event))) return false;
  return true;
}

/** Completes the handshake and takes the socket from the response; throws 400 for a request that is not a handshake. */
function openWebSocket({ request, response }: NegotiatedExchange): Socket {
  const { socket } = response;
  const key = request.headers["sec-websocket-key"];
  if (socket === null || key === undefined || request.headers["sec-websocket-version"] !== "13")
    throw badRequest("the request asks for a WebSocket but is no handshake of version 13");
  response.detachSocket(socket);
  socket.write(
    [
      "HTTP/1.1 101 Switching Protocols",
      "Upgrade: websocket",
      "Connection: Upgrade",
      `Sec-WebSocket-Accept: ${acceptKey(key)}`,
      "\r\n",
    ].join("\r\n"),
  );
  return socket;
}

/** Answers pings and the close frame; a watch ignores other messages. */
function answerFrames(socket: Socket, sender: WebSocketSender): void {
  let unread: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    const read = readFrames(Buffer.concat([unread, chunk]));
    if (!read.ok) {
      sender.close(read.code);
      return;
    }
    unread = read.rest;
    for (const frame of read.frames) answerFrame(sender, frame);
  });
}

function answerFrame(sender: WebSocketSender, { opcode, payload }: Frame): void {
  if (opcode === opcodes.ping) sender.pong(payload);
  if (opcode === opcodes.close) sender.close(payload.length < 2 ? 1000 : payload.readUInt16BE(0));
}
