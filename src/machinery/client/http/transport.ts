import { ApiError } from "../api-error.ts";
import type { Connection } from "../connection/connection.ts";
import type { Identity } from "../connection/identity.ts";
import { ConnectionPools, maxRequests } from "./connection-pools.ts";
import type { Deadline } from "./deadline.ts";
import { readWholeResponse, type WholeResponse } from "./read-whole-response.ts";
import type { OutgoingRequest } from "./request.ts";
import { describeRequest } from "./response.ts";

export interface ResponseHead {
  readonly code: number;
  header(name: string): string | undefined;
}

/** A response whose body is not read yet. */
export interface TransportResponse extends ResponseHead {
  readonly body: AsyncIterable<Uint8Array> & { text(): Promise<string>; destroy(): unknown };
}

/**
 * Sends any request as a fixed user. Resolves to a response with a code below 300, whose body the
 * caller reads at its own pace; throws the same errors as `Client`.
 */
export type OpenRequest = (request: OutgoingRequest, signal: AbortSignal) => Promise<TransportResponse>;

export interface SendOptions {
  readonly identity: Identity;
  readonly deadline: Deadline;
}

/** Sends requests to one server. */
export interface ApiTransport {
  /** Resolves with the whole response. Waits while too many requests are in flight; the deadline does not include that wait. */
  send(request: OutgoingRequest, options: SendOptions): Promise<WholeResponse>;
  /** Resolves with a response whose body is read as it comes. */
  stream(request: OutgoingRequest, options: SendOptions): Promise<TransportResponse>;
  /** Aborts all requests and closes all connections. */
  close(): Promise<void>;
}

/** Keep-alive connections to an API server, with the certificates of a connection. */
export function poolTransport(connection: Connection, userAgent: string): ApiTransport {
  const { origin, pathname } = new URL(connection.server);
  const base = pathname.replace(/\/$/, "");
  const pools = new ConnectionPools(connection, origin);
  const slots = new RequestSlots(maxRequests);
  const optionsOf = (
    { method, path, body, contentType, accept }: OutgoingRequest,
    { authorization }: Identity,
  ) => ({
    origin,
    method,
    path: base + path,
    headers: {
      ...connection.impersonation,
      accept: accept ?? "application/json",
      "user-agent": userAgent,
      ...(authorization !== undefined && { authorization }),
      ...(contentType !== undefined && { "content-type": contentType }),
    },
    body: body ?? null,
    // Otherwise undici closes the connection after every DELETE with a body, and ours have one.
    reset: false,
  });
  return {
    async send(request, { identity, deadline }) {
      const options = optionsOf(request, identity);
      try {
        return await slots.use(deadline, () =>
          readWholeResponse(pools.of(identity, "requests"), options, deadline),
        );
      } catch (error) {
        throw connectionFailure(request, error, deadline);
      }
    },
    async stream(request, { identity, deadline }) {
      const options = { ...optionsOf(request, identity), signal: deadline.signal };
      try {
        const { statusCode, headers, body } = await pools.of(identity, "streams").request(options);
        return { code: statusCode, header: (name) => [headers[name] ?? []].flat()[0], body };
      } catch (error) {
        throw connectionFailure(request, error, deadline);
      }
    },
    close: () => pools.close(),
  };
}

/** Returns an `ApiError` or the reason of an abort unchanged, and any other error with a description of its request. */
export function connectionFailure(request: OutgoingRequest, error: unknown, { aborted }: Deadline): unknown {
  if (error instanceof ApiError) return error;
  if (aborted !== undefined) return aborted.reason;
  return new Error(`${describeRequest(request)}: ${networkMessageOf(error)}`, { cause: error });
}

/** The message of a failure to connect. */
export function networkMessageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Connecting to several addresses of one host fails with one error per address and an empty message.
  if (error instanceof AggregateError && error.message === "")
    return error.errors.map(networkMessageOf).join(", ");
  return error.message;
}

/**
 * Limits how many requests are sent to a server concurrently; further requests wait in order of arrival. undici's pool
 * has a queue and a limit of its own, but it assigns requests to connections that are failing, and it does not tell how
 * long a request was queued and how long the server took.
 */
class RequestSlots {
  #free: number;
  /** In order of arrival. */
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Sends a request when a slot is free; its deadline does not run while it waits. */
  async use<T>(deadline: Deadline, send: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#turn(deadline);
    try {
      return await send();
    } finally {
      this.#handOver();
    }
  }

  #turn(deadline: Deadline): Promise<void> {
    deadline.throwIfAborted();
    deadline.pause();
    return new Promise((resolve, reject) => {
      const start = () => {
        deadline.onAbort(undefined);
        deadline.restart();
        resolve();
      };
      this.#waiting.add(start);
      deadline.onAbort((reason) => {
        this.#waiting.delete(start);
        reject(reason);
      });
    });
  }

  #handOver(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
