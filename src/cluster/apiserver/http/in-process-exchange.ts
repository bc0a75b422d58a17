import { IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Transform, type TransformCallback } from "node:stream";
import { text } from "node:stream/consumers";
import type { OutgoingRequest } from "../../../machinery/client/http/request.ts";
import { apiErrorOf } from "../../../machinery/client/http/response.ts";
import type { OpenRequest, TransportResponse } from "../../../machinery/client/http/transport.ts";
import { managedFieldsHeader } from "./response/watch-encoding.ts";

/** Options of one sender's requests. */
export interface InProcessOptions {
  /**
   * Whether objects in watches come without managed fields, which are a third of their bytes and which few readers
   * show.
   */
  readonly withoutManagedFields?: boolean;
}

/** The sender of requests. */
export interface Sender extends InProcessOptions {
  readonly token: string;
  readonly userAgent: string;
}

/**
 * Sends HTTP requests to a handler in this process, without a connection. The handler treats them like those of any
 * other client, the bytes of the store reach the reader without encryption, and the handler waits while the reader does
 * not read.
 */
export function inProcessExchange(listener: () => RequestListener, sender: Sender): OpenRequest {
  return async (request, signal) => {
    signal.throwIfAborted();
    const message = messageOf(request, sender);
    const response = new UnsentResponse(message);
    const abort = () => response.destroy();
    signal.addEventListener("abort", abort, { once: true });
    response.on("close", () => signal.removeEventListener("abort", abort));
    // The listener uses the stream and head of a response, and nothing of the connection.
    listener()(message, response as unknown as ServerResponse & { req: IncomingMessage });
    await response.head;
    signal.throwIfAborted();
    if (response.statusCode >= 300) throw apiErrorOf(request, response.statusCode, await text(response));
    return response.transported();
  };
}

function messageOf(
  { method, path, contentType, body, accept = "application/json" }: OutgoingRequest,
  { token, userAgent, withoutManagedFields = false }: Sender,
): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.method = method;
  message.url = path;
  message.headers = {
    host: "localhost",
    accept,
    authorization: `Bearer ${token}`,
    "user-agent": userAgent,
    ...(withoutManagedFields && { [managedFieldsHeader]: "omit" }),
    ...(contentType !== undefined && { "content-type": contentType }),
    ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
  };
  if (body !== undefined) message.push(body);
  message.push(null);
  message.complete = true;
  return message;
}

/** The response of a handler, whose body is read in this process. */
class UnsentResponse extends Transform {
  /** Resolves when the code and the headers are set, or the response is destroyed without them. */
  readonly head: Promise<void>;
  readonly req: IncomingMessage;
  statusCode = 200;
  headersSent = false;
  readonly #headers = new Map<string, string>();
  #settleHead: () => void = () => undefined;

  constructor(req: IncomingMessage) {
    super();
    this.req = req;
    this.head = new Promise((resolve) => (this.#settleHead = resolve));
    this.on("close", () => this.#settleHead());
    // The reader of the body gets the error; a response without a reader has no other use for it.
    this.on("error", () => undefined);
  }

  setHeader(name: string, value: number | string | readonly string[]): this {
    this.#headers.set(name.toLowerCase(), String(value));
    return this;
  }

  appendHeader(name: string, value: string): this {
    const before = this.#headers.get(name.toLowerCase());
    return this.setHeader(name, before === undefined ? value : `${before}, ${value}`);
  }

  flushHeaders(): void {
    this.headersSent = true;
    this.#settleHead();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.flushHeaders();
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    this.flushHeaders();
    done();
  }

  transported(): TransportResponse {
    const body = Object.assign(this, { text: () => text(this) });
    return { code: this.statusCode, header: (name) => this.#headers.get(name), body };
  }
}
