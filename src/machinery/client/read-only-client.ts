import type { Client } from "./client.ts";
import { interceptClient, isWrite } from "./intercept-client.ts";

/** A client that refuses to send anything that could change the cluster: only `get`, `list` and `watch` pass. */
export function readOnlyClient(client: Client): Client {
  return interceptClient(client, {
    call: (call, send) =>
      isWrite(call)
        ? Promise.reject(new Error(`this command only reads: ${call.verb} ${call.collection} was not sent`))
        : send(),
  });
}
