import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";

/** An HTTP proxy on loopback. */
export interface ConnectProxy {
  readonly url: string;
  /** The hosts it was asked to connect to, each with its credentials, if any. */
  readonly asked: readonly string[];
  close(): void;
}

/** Starts a proxy that knows one server of this machine, under any name. */
export async function startConnectProxy(behind: string): Promise<ConnectProxy> {
  const asked: string[] = [];
  const server = createServer().listen(0, "127.0.0.1");
  server.on("connect", (request, socket) => {
    const authorization = request.headers["proxy-authorization"];
    asked.push(`${request.url ?? ""} ${authorization ?? ""}`.trim());
    const target = connect(Number(new URL(behind).port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(target).pipe(socket);
    });
    // Each side ends with the other; otherwise a client would wait for a response forever.
    target.on("error", () => socket.destroy());
    socket.on("error", () => target.destroy());
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, close: () => void server.close() };
}
