import { once } from "node:events";
import { connect, createServer } from "node:net";

/** What kube-proxy would be: one address for the Pods of a Service. */
export interface ServiceStandIn {
  /** How many connections each host was given. */
  readonly given: ReadonlyMap<string, number>;
  readonly stop: () => Promise<void>;
}

/** A connection that has been silent for so long is closed, so that the next request goes to the next Pod. */
const idleMs = 100;

/** Listens on 127.0.0.1 and gives connections to the same port of the hosts there are at that moment, in turn. */
export async function serveBackends(port: number, hosts: () => readonly string[]): Promise<ServiceStandIn> {
  const given = new Map<string, number>();
  let turn = 0;
  const server = createServer((socket) => {
    const now = hosts();
    const host = now[turn++ % now.length];
    if (host === undefined) return void socket.destroy();
    given.set(host, (given.get(host) ?? 0) + 1);
    const onward = connect(port, host);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      one.pipe(other);
      one.once("error", () => other.destroy());
      one.once("close", () => other.destroy());
    }
    socket.setTimeout(idleMs, () => socket.end());
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    given,
    async stop() {
      server.close();
      await once(server, "close");
    },
  };
}
