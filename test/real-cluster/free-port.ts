import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** A loopback port that was free a moment ago: programs of Kubernetes cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
