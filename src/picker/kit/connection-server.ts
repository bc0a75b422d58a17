import { createServer, type RequestListener, type Server } from "node:http";
import { readAsStream } from "../../machinery/https-server/read-as-stream.ts";
import { requestDeadlines } from "../../machinery/https-server/request-deadlines.ts";

/** An HTTP server that is given its connections by `emit("connection")`, and is to be closed after them. */
export function connectionServer(listener: RequestListener): Server {
  const server = createServer({ ...requestDeadlines, keepAliveTimeout: 65_000 }, listener);
  server.on("connection", readAsStream);
  // It never listens, but only from this event on Node knows its connections, closes idle ones and limits slow ones.
  server.emit("listening");
  return server;
}
