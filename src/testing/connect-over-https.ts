import type { StoredObject } from "../api/object.ts";
import type { ApiServer, ApiServerAccess } from "../cluster/apiserver/create-api-server.ts";
import type { Store } from "../cluster/store/store.ts";
import type { Client, WatchEvent } from "../machinery/client/client.ts";
import { HttpsClient } from "../machinery/client/http/https-client.ts";
import { interceptClient } from "../machinery/client/intercept-client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { WallClock } from "../machinery/clock/wall-clock.ts";
import { PushStream } from "./push-stream.ts";

export interface HttpsConnection {
  readonly client: Client;
  readonly access: ApiServerAccess;
  readonly close: () => Promise<void>;
}

/** Lets a server listen and returns a client that reaches it over HTTPS; virtual time stands still meanwhile. */
export async function connectOverHttps(
  server: ApiServer,
  store: Store,
  clock: Clock,
): Promise<HttpsConnection> {
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
    client: clock instanceof VirtualClock ? holdingTime(https, store, clock) : https,
    access,
    async close() {
      await https.close();
      await access.close();
    },
  };
}

/** Virtual time stands still while a request, or an event that was committed, is on its way. */
function holdingTime(inner: Client, store: Store, clock: VirtualClock): Client {
  return interceptClient(inner, {
    call: (_call, send) => clock.hold(send()),
    watch: ({ collection }, { open }) => holdingUntilReceived(open(), { collection, store, clock }),
  });
}

interface WatchedCollection {
  readonly collection: string;
  readonly store: Store;
  readonly clock: VirtualClock;
}

/** Holds time from each commit until the event has arrived, whether or not the client reads it. */
function holdingUntilReceived<T extends StoredObject>(
  events: AsyncIterable<WatchEvent<T>>,
  { collection, store, clock }: WatchedCollection,
): AsyncIterable<WatchEvent<T>> {
  const awaited = new Map<number, () => void>();
  const receive = (revision: number) => {
    for (const [committed, received] of awaited) {
      if (committed > revision) continue;
      awaited.delete(committed);
      received();
    }
  };
  const unsubscribe = store.collection(collection).subscribe({ of: "all" }, (committed) => {
    for (const { record } of committed)
      void clock.hold(new Promise<void>((resolve) => awaited.set(record.revision, resolve)));
  });

  const arrived = new PushStream<WatchEvent<T>>();
  const read = async () => {
    for await (const event of events) {
      arrived.push(event);
      receive(
        Number(event.type === "BOOKMARK" ? event.resourceVersion : event.object.metadata.resourceVersion),
      );
    }
  };
  const over = () => {
    unsubscribe();
    receive(Number.POSITIVE_INFINITY);
  };
  void read()
    .then(() => arrived.end())
    .catch((error: unknown) => arrived.fail(error)) // passed on to the reader of the watch
    .finally(over);
  return arrived;
}
