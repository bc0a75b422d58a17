import { qualifiedName } from "../../src/api/resource.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import type { ClientCall } from "../../src/machinery/client/intercept-client.ts";
import { observeClient } from "../../src/testing/observe-client.ts";

/** A client all of whose requests can be seen, watches included: each takes a permission. */
export function observeRequests(inner: Client) {
  const line = observeClient(inner);
  const watches: ClientCall[] = [];
  const client: Client = {
    ...line.client,
    watch: (resource, query, signal) => {
      watches.push({ verb: "watch", collection: qualifiedName(resource) });
      return line.client.watch(resource, query, signal);
    },
  };
  return { line, client, requests: (): readonly ClientCall[] => [...line.requests, ...watches] };
}
