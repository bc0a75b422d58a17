import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";

/** What to do with a request; `call` counts from 1. */
export type ServerScript = (request: IncomingMessage, response: ServerResponse, call: number) => void;

/** An HTTP server on a loopback port of its own that follows a script. */
export interface ScriptedServer {
  readonly url: string;
  calls(): number;
  /** Drops every connection and listens no more. */
  close(): Promise<void>;
}

/** Starts a server for tests of what goes over the wire; with TLS options it speaks HTTPS. */
export async function scriptedServer(script: ServerScript, tls?: ServerOptions): Promise<ScriptedServer> {
  let calls = 0;
  const answer = (request: IncomingMessage, response: ServerResponse) => script(request, response, ++calls);
  const server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    calls: () => calls,
    async close() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
