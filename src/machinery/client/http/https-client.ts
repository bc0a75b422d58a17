import type { Binding } from "../../../api/generated/core-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { Draft, StoredObject } from "../../../api/object.ts";
import type { Resource } from "../../../api/resource.ts";
import type { Clock } from "../../clock/clock.ts";
import type {
  Client,
  DeleteOptions,
  EvictOptions,
  KindQuery,
  ListQuery,
  ListResult,
  ObjectName,
  ObjectWriteOptions,
  Patch,
  WatchEvent,
  WatchQuery,
  WriteOptions,
} from "../client.ts";
import type { Connection } from "../connection/connection.ts";
import { Deadline } from "./deadline.ts";
import { type Identity, connectionIdentity, type IdentitySource } from "../connection/identity.ts";
import { findResource } from "./find-resource.ts";
import { dropManagedFields } from "./omit-managed-fields.ts";
import * as requests from "./request.ts";
import {
  describeRequest,
  apiErrorOf,
  listOf,
  parseResponse,
  isStillPresent,
  retryAfterMs,
  writtenObject,
} from "./response.ts";
import { type TransportResponse, connectionFailure, poolTransport, type ApiTransport } from "./transport.ts";
import type { WholeResponse } from "./read-whole-response.ts";
import { readWatchEvents } from "./watch-stream.ts";

export interface HttpsClientOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  /** The User-Agent; the server logs it and uses the part before the slash in `managedFields`. */
  readonly userAgent?: string | undefined;
  /** How long a response may take; for a watch, until its headers arrive. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is retried when the server is overloaded. */
  readonly busyRetries?: number | undefined;
}

// The server deletes the objects one by one before it responds.
const collectionTimeoutMs = 600_000;

/** A client of an API server in another process, in JSON over HTTPS. */
export class HttpsClient implements Client {
  readonly #transport: ApiTransport;
  readonly #identity: IdentitySource;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #busyRetries: number;

  constructor(options: HttpsClientOptions) {
    const { connection, clock } = options;
    this.#transport = poolTransport(connection, options.userAgent ?? "trimtab");
    this.#identity = connectionIdentity({ connection, clock });
    this.#clock = clock;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#busyRetries = options.busyRetries ?? 5;
  }

  /** Aborts all requests; the client cannot be used afterwards. */
  close(): Promise<void> {
    this.#identity.close();
    return this.#transport.close();
  }

  resource<T extends StoredObject>(kind: KindQuery, signal?: AbortSignal): Promise<Resource<T>> {
    return findResource<T>((path) => this.#request({ method: "GET", path }, signal), kind);
  }

  async get<T extends StoredObject>(
    resource: Resource<T>,
    name: ObjectName,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.#request(requests.getRequest(resource, name), signal);
  }

  async list<T extends StoredObject>(
    resource: Resource<T>,
    query: ListQuery,
    signal?: AbortSignal,
  ): Promise<ListResult<T>> {
    const list = listOf(resource, await this.#request(requests.listRequest(resource, query), signal));
    return query.withoutManagedFields === true ? { ...list, items: list.items.map(dropManagedFields) } : list;
  }

  async *watch<T extends StoredObject>(
    resource: Resource<T>,
    query: WatchQuery,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>> {
    const request = requests.watchRequest(resource, query);
    const deadline = this.#deadline(request, signal, this.#timeoutMs);
    try {
      const answer = await this.#stream(request, deadline);
      // The server ends the stream at its timeout; a server that vanished would not.
      if (query.timeoutSeconds === undefined) deadline.pause();
      else deadline.restart(query.timeoutSeconds * 1000 + this.#timeoutMs);
      const failure = (error: unknown) => connectionFailure(request, error, deadline);
      const { withoutManagedFields } = query;
      yield* readWatchEvents<T>(answer.body, { failure, withoutManagedFields });
    } finally {
      deadline.release();
    }
  }

  async create<T extends StoredObject>(
    resource: Resource<T>,
    object: Draft<T>,
    options?: ObjectWriteOptions,
  ): Promise<T> {
    const request = requests.createRequest(resource, object, options);
    return writtenObject(resource, object, await this.#request(request, options?.signal));
  }

  async update<T extends StoredObject>(
    resource: Resource<T>,
    object: T,
    options?: ObjectWriteOptions,
  ): Promise<T> {
    const request = requests.updateRequest(resource, object, options);
    return writtenObject(resource, object, await this.#request(request, options?.signal));
  }

  async patch<T extends StoredObject>(
    resource: Resource<T>,
    name: ObjectName,
    patch: Patch & WriteOptions,
  ): Promise<T> {
    return this.#request(requests.patchRequest(resource, name, patch), patch.signal);
  }

  async delete<T extends StoredObject>(
    resource: Resource<T>,
    name: ObjectName,
    options?: DeleteOptions,
  ): Promise<T | undefined> {
    const request = requests.deleteRequest(resource, name, options);
    if (options?.reads === "nothing") return void (await this.#text(request, options.signal));
    const body = await this.#request(request, options?.signal);
    return isStillPresent(body) ? (body as unknown as T) : undefined;
  }

  async deleteCollection(resource: Resource, query: ListQuery, options?: DeleteOptions): Promise<void> {
    const request = requests.deleteCollectionRequest(resource, query, options);
    await this.#request(request, options?.signal, collectionTimeoutMs);
  }

  async bind(
    pod: ObjectName,
    binding: Pick<Binding, "target"> & { readonly uid?: string },
    signal?: AbortSignal,
  ): Promise<void> {
    await this.#request(requests.bindRequest(pod, binding), signal);
  }

  async evict(pod: ObjectName, options?: EvictOptions): Promise<void> {
    await this.#request(requests.evictRequest(pod, options), options?.signal);
  }

  /** Requests a path that is no resource, such as `/debug/time`; the response has to be a JSON object. */
  async requestPath(
    method: "GET" | "POST",
    path: string,
    { signal, timeoutMs }: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
  ): Promise<JsonObject> {
    return this.#request({ method, path }, signal, timeoutMs);
  }

  /** Sends any request and returns the response with an unread body; aborting the signal ends the body. */
  async open(request: requests.OutgoingRequest, signal: AbortSignal): Promise<TransportResponse> {
    const deadline = this.#deadline(request, signal, this.#timeoutMs);
    try {
      const answer = await this.#stream(request, deadline);
      deadline.pause(); // the caller reads the body at its own pace
      return answer;
    } catch (error) {
      // Without a response there is no body that would release it.
      deadline.release();
      throw error;
    }
  }

  /** The body of the response, which is trusted to be a `T`. */
  async #request<T = JsonObject>(
    request: requests.OutgoingRequest,
    signal: AbortSignal | undefined,
    timeoutMs?: number,
  ): Promise<T> {
    return parseResponse(request, await this.#text(request, signal, timeoutMs)) as T;
  }

  async #text(
    request: requests.OutgoingRequest,
    signal: AbortSignal | undefined,
    timeoutMs = this.#timeoutMs,
  ): Promise<string> {
    const deadline = this.#deadline(request, signal, timeoutMs);
    try {
      const send = (identity: Identity) => this.#transport.send(request, { identity, deadline });
      return (await this.#accepted(request, deadline, send)).text;
    } finally {
      deadline.release();
    }
  }

  #stream(request: requests.OutgoingRequest, deadline: Deadline): Promise<TransportResponse> {
    return this.#accepted(request, deadline, (identity) =>
      this.#transport.stream(request, { identity, deadline }),
    );
  }

  /** Retries while the server is overloaded or refuses an expired identity; the deadline applies to each attempt. */
  async #accepted<R extends WholeResponse | TransportResponse>(
    request: requests.OutgoingRequest,
    deadline: Deadline,
    send: (identity: Identity) => Promise<R>,
  ): Promise<R> {
    let renewed = false;
    for (let attempt = 0; ; attempt++) {
      deadline.throwIfAborted();
      const identity = await this.#identity.current(deadline);
      const answer = await send(identity);
      if (answer.code >= 200 && answer.code < 300) return answer;
      const failure = apiErrorOf(request, answer.code, await textOf(request, answer, deadline));
      if (answer.code === 401 && !renewed && this.#identity.refused(identity)) {
        // A token may expire just before it is replaced.
        renewed = true;
        continue;
      }
      const waitMs = retryAfterMs(answer.code, answer.header("retry-after"));
      if (waitMs === undefined || attempt >= this.#busyRetries) throw failure;
      deadline.pause();
      await this.#clock.sleep(waitMs, deadline.signal);
      deadline.restart();
    }
  }

  #deadline(request: requests.OutgoingRequest, parent: AbortSignal | undefined, timeoutMs: number): Deadline {
    return new Deadline({
      clock: this.#clock,
      timeoutMs,
      parent,
      missed: `${describeRequest(request)}: no answer`,
    });
  }
}

async function textOf(
  request: requests.OutgoingRequest,
  answer: WholeResponse | TransportResponse,
  deadline: Deadline,
): Promise<string> {
  if ("text" in answer) return answer.text;
  try {
    return await answer.body.text();
  } catch (error) {
    throw connectionFailure(request, error, deadline);
  }
}
