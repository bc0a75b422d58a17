import { createServer, type RequestListener, type Server } from "node:http";

/** How long the head of a request may take, from the first byte or the end of the request before. */
const headersTimeout = 10_000;

/** An HTTP server that is given its connections by `emit("connection")`, and is to be closed after them. */
export function connectionServer(listener: RequestListener): Server {
  const server = createServer(
    { keepAliveTimeout: 65_000, headersTimeout, connectionsCheckingInterval: headersTimeout / 2 },
    listener,
  );
  // It never listens, but only from this event on Node knows its connections, closes idle ones and limits slow ones.
  server.emit("listening");
  return server;
}
