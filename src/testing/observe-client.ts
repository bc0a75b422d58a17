import type { StoredObject } from "../api/object.ts";
import { qualifiedName, type Resource } from "../api/resource.ts";
import type { Client, WatchEvent } from "../machinery/client/client.ts";
import { type ClientCall, interceptClient, type WatchCall } from "../machinery/client/intercept-client.ts";
import { deepFreeze } from "./deep-freeze.ts";

/** Looks at a request and returns the error it fails with, if any. */
export type RequestFailure = (request: ClientCall) => Error | undefined;

/** A client whose requests a test can read, and make fail or wait. */
export interface ObservedClient {
  readonly client: Client;
  /** Every request except watches, including the ones that failed. */
  readonly requests: readonly ClientCall[];
  /** Fails requests, or their responses after they have been served, until the returned function is called. */
  failRequests(failure: RequestFailure, what?: "request" | "answer"): () => void;
  /** Holds back the watch events of a collection, or of all, so that views become stale. */
  holdWatches(resource?: Resource): void;
  /** Delivers the held events; with an error, drops them and fails their watches. */
  releaseWatches(error?: Error): void;
}

interface Hold {
  readonly collection: string | undefined;
  readonly over: Promise<Error | undefined>;
  readonly end: (error: Error | undefined) => void;
}

/** Observes a client. Responses are frozen deeply, so that a test fails where one is changed. */
export function observeClient(inner: Client): ObservedClient {
  const requests: ClientCall[] = [];
  const requestFailures = new Set<RequestFailure>();
  const answerFailures = new Set<RequestFailure>();
  const fail = (failures: Iterable<RequestFailure>, request: ClientCall) => {
    for (const failure of failures) {
      const error = failure(request);
      if (error !== undefined) throw error;
    }
  };
  const holds: Hold[] = [];

  async function* watch<T extends StoredObject>(
    { collection }: ClientCall,
    { open }: WatchCall<T>,
  ): AsyncGenerator<WatchEvent<T>> {
    for await (const event of open()) {
      const holding = holds.filter((hold) => hold.collection === undefined || hold.collection === collection);
      for (const hold of holding) {
        const error = await hold.over;
        if (error !== undefined) throw error;
      }
      yield deepFreeze(event);
    }
  }

  const client = interceptClient(inner, {
    async call(request, send) {
      requests.push(request);
      fail(requestFailures, request);
      const answer = deepFreeze(await send());
      fail(answerFailures, request);
      return answer;
    },
    watch,
  });

  return {
    client,
    requests,
    failRequests(failure, what = "request") {
      const failures = what === "request" ? requestFailures : answerFailures;
      failures.add(failure);
      return () => void failures.delete(failure);
    },
    holdWatches(resource) {
      let end: Hold["end"] = () => undefined;
      const over = new Promise<Error | undefined>((resolve) => (end = resolve));
      holds.push({ collection: resource && qualifiedName(resource), over, end });
    },
    releaseWatches(error) {
      for (const { end } of holds.splice(0)) end(error);
    },
  };
}
