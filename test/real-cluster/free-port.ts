import { once } from "node:events";
import { createServer } from "node:net";
import { randomInt } from "../../src/machinery/random/random.ts";
import { systemRandom } from "../../src/machinery/random/system-random.ts";

/** Below the ports that systems give to outgoing connections: those could take it while a program starts again. */
const [least, most] = [15_000, 31_999];
const random = systemRandom();

/** A loopback port that was free a moment ago: programs of Kubernetes cannot choose one themselves. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = least + randomInt(random, most - least + 1);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  // Rejects with the error of a server that cannot listen.
  const isBound = await once(server, "listening").then(
    () => true,
    () => false,
  );
  if (!isBound) return false;
  server.close();
  await once(server, "close");
  return true;
}
