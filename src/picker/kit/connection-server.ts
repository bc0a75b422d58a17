import { createServer, type RequestListener, type Server } from "node:http";
import { readAsStream } from "../../machinery/https-server/read-as-stream.ts";
import { requestDeadlines } from "../../machinery/https-server/request-deadlines.ts";

/** Creates an HTTP server that gets its connections by `emit("connection")`; close it after them. */
export function connectionServer(listener: RequestListener): Server {
  const server = createServer({ ...requestDeadlines, keepAliveTimeout: 65_000 }, listener);
  server.on("connection", readAsStream);
  // It never listens, but only from this event on Node knows its connections, closes idle ones and limits slow ones.
  server.emit("listening");
  return server;
}
