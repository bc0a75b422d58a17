import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { messageOf } from "../../api/message-of.ts";
import type { KeyPair } from "../../machinery/certificates/certificate.ts";
import { type HttpsServer, serveHttps } from "../../machinery/https-server/serve-https.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { AdmissionHandler } from "../admission/admit-replica-set.ts";
import { answerReview, readReview } from "../admission/review.ts";

export interface ServeAdmissionOptions {
  readonly handlers: Readonly<Record<string, AdmissionHandler>>;
  /** Absent: loopback. */
  readonly bind?: string | undefined;
  /** 0: any free port. */
  readonly port: number;
  /** Called for every connection: the certificate of now. */
  readonly certificate: () => KeyPair;
  /** How long an API server waits that does not say so. */
  readonly timeoutMs: number;
  readonly log: Logger;
}

/** An object and the one before it, each of 3 MiB at most, and a little around them. */
const mostBytes = 8 * 1024 * 1024;
/** More requests at a time than an API server sends: the sender is told to come back. */
const mostAtATime = 200;
/** Connections of several API servers: each of their requests in progress has one of its own. */
const maxConnections = 512;

/** Serves the webhook over TLS. */
export function serveAdmission(options: ServeAdmissionOptions): Promise<HttpsServer> {
  const { bind, port, certificate } = options;
  const first = certificate();
  let shown = first;
  const renewed = () => {
    const pair = certificate();
    if (pair === shown) return undefined;
    shown = pair;
    return pair;
  };
  return serveHttps(() => listenerOf(options), { host: bind, port, ...first, renewed, maxConnections });
}

interface Answer {
  readonly code: number;
  readonly body: string;
  readonly isJson?: boolean;
}

/** Answers calls of the webhook; nothing that is sent to it ends in an error of ours. */
export function listenerOf(options: ServeAdmissionOptions): RequestListener {
  let inProgress = 0;
  // A request counts once its body is here: a sender of half a body, which has a deadline, keeps nobody else out.
  const limit: Limit = async (work) => {
    if (inProgress === mostAtATime) return { code: 503, body: "too many requests at a time" };
    inProgress += 1;
    try {
      return await work();
    } finally {
      inProgress -= 1;
    }
  };
  return (request, response) => {
    void answer(request, options, limit)
      .catch((error: unknown): Answer => {
        options.log.error("a call of the webhook failed", { error });
        return { code: 503, body: "not now; see the log" };
      })
      .then((sent) => send(response, sent));
  };
}

/** Does the work, unless as much as may be is in progress already. */
type Limit = (work: () => Promise<Answer>) => Promise<Answer>;

async function answer(
  request: IncomingMessage,
  options: ServeAdmissionOptions,
  limit: Limit,
): Promise<Answer> {
  const base = "https://webhook";
  const url = request.url ?? "/";
  const { pathname, searchParams } = new URL(URL.canParse(url, base) ? url : "/", base);
  const { handlers } = options;
  const handler = Object.hasOwn(handlers, pathname) ? handlers[pathname] : undefined;
  if (handler === undefined) return { code: 404, body: "no webhook has this path" };
  const refused = refusalOf(request);
  if (refused !== undefined) return refused;
  const body = await readBody(request);
  if (body === undefined) return { code: 413, body: `a review has at most ${mostBytes} bytes` };
  const timeoutMs = timeoutOf(searchParams.get("timeout"), options.timeoutMs);
  return limit(() => review(body, handler, timeoutMs));
}

async function review(body: string, handler: AdmissionHandler, timeoutMs: number): Promise<Answer> {
  const read = readReview(body);
  if (!read.ok) return { code: 400, body: read.problem };
  const answered = await handler(read.request, timeoutMs);
  return { code: 200, body: JSON.stringify(answerReview(read.request, answered)), isJson: true };
}

function refusalOf({ method, headers }: IncomingMessage): Answer | undefined {
  if (method !== "POST") return { code: 405, body: "a review is posted" };
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") return { code: 415, body: "a review is application/json" };
  return Number(headers["content-length"] ?? 0) > mostBytes
    ? { code: 413, body: `a review has at most ${mostBytes} bytes` }
    : undefined;
}

/** The text of a body; `undefined` if it is too long. What is not UTF-8 does not become a review. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** `10s`, as an API server writes it; never longer than configured. */
function timeoutOf(text: string | null, mostMs: number): number {
  const seconds = /^(\d{1,3})s$/.exec(text ?? "")?.[1];
  return seconds === undefined ? mostMs : Math.min(Number(seconds) * 1000, mostMs);
}

function send(response: ServerResponse, { code, body, isJson = false }: Answer): void {
  // A body that was not read to its end cannot be followed by another request.
  const close = code === 200 ? {} : { Connection: "close" };
  try {
    response.writeHead(code, {
      "Content-Type": isJson ? "application/json" : "text/plain; charset=utf-8",
      "Content-Length": Buffer.byteLength(body),
      ...close,
    });
    response.end(body);
  } catch (error) {
    response.destroy(new Error(messageOf(error)));
  }
}
