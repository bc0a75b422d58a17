import type { StoredObject } from "../../src/api/object.ts";
import { qualifiedName, type Resource } from "../../src/api/resource.ts";
import type { ApiServer } from "../../src/cluster/apiserver/create-api-server.ts";
import type { Store } from "../../src/cluster/store/store.ts";
import type { Client, WatchEvent } from "../../src/machinery/client/client.ts";
import { HttpsClient } from "../../src/machinery/client/https-client.ts";
import type { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { PushStream } from "../../src/testing/push-stream.ts";

export interface OverHttps {
  readonly client: Client;
  close(): Promise<void>;
}

/** A client that goes out by HTTPS and comes in again, while virtual time stands still for whatever is on the wire. */
export async function overHttps(server: ApiServer, store: Store, clock: VirtualClock): Promise<OverHttps> {
  const access = await server.listen({ port: 0 });
  const { url, ca, token } = access;
  const https = new HttpsClient({
    connection: {
      server: url,
      credential: { type: "token", token },
      tls: { ca, skipVerify: false },
      namespace: "default",
    },
    clock: new WallClock(),
  });
  return {
    client: holdingTime(https, store, clock),
    async close() {
      await https.close();
      await access.close();
    },
  };
}

function holdingTime(inner: Client, store: Store, clock: VirtualClock): Client {
  return {
    get: (...request) => clock.hold(inner.get(...request)),
    list: (...request) => clock.hold(inner.list(...request)),
    create: (...request) => clock.hold(inner.create(...request)),
    update: (...request) => clock.hold(inner.update(...request)),
    patch: (...request) => clock.hold(inner.patch(...request)),
    delete: (...request) => clock.hold(inner.delete(...request)),
    deleteCollection: (...request) => clock.hold(inner.deleteCollection(...request)),
    bind: (...request) => clock.hold(inner.bind(...request)),
    watch: (resource, query, signal) =>
      untilSeen(inner.watch(resource, query, signal), { resource, store, clock }),
  };
}

interface Followed {
  readonly resource: Resource;
  readonly store: Store;
  readonly clock: VirtualClock;
}

/** Holds time from the moment something is committed until the wire has brought it, whether or not anyone takes it. */
function untilSeen<T extends StoredObject>(
  events: AsyncIterable<WatchEvent<T>>,
  { resource, store, clock }: Followed,
): AsyncIterable<WatchEvent<T>> {
  const awaited = new Map<number, () => void>();
  const see = (revision: number) => {
    for (const [committed, seen] of awaited) {
      if (committed > revision) continue;
      awaited.delete(committed);
      seen();
    }
  };
  const unsubscribe = store.collection(qualifiedName(resource)).subscribe({ of: "all" }, (committed) => {
    for (const { record } of committed)
      void clock.hold(new Promise<void>((resolve) => awaited.set(record.revision, resolve)));
  });

  const brought = new PushStream<WatchEvent<T>>();
  const bring = async () => {
    for await (const event of events) {
      brought.push(event);
      see(Number(event.type === "BOOKMARK" ? event.resourceVersion : event.object.metadata.resourceVersion));
    }
  };
  const over = () => {
    unsubscribe();
    see(Number.POSITIVE_INFINITY);
  };
  void bring()
    .then(() => brought.end())
    .catch((error: unknown) => brought.fail(error))
    .finally(over);
  return brought;
}
