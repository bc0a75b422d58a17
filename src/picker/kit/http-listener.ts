import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type Answering, type PickAnswer, refused, type Refused } from "./answer-questions.ts";
import type { Caller } from "./authenticate.ts";
import type { RefusalReason } from "./kit-metrics.ts";
import { maxQuestionBytes, parseQuestion, workloadFrom } from "./read-question.ts";
import { certificateOf } from "./serve-port.ts";

export interface HttpListenerOptions {
  readonly answering: Answering;
  readonly isTrusted: (caller: Caller) => boolean;
  /** The path of questions. */
  readonly path: string;
  /** What `/metrics` serves; `undefined` if the program has metrics of its own. */
  readonly metricsText: () => Promise<{ readonly contentType: string; readonly text: string } | undefined>;
}

const statusCodes: Readonly<Record<RefusalReason, number>> = {
  bad_request: 400,
  busy: 503,
  cancelled: 499,
  failed: 500,
  late_question: 408,
  overran: 504,
  stopping: 503,
  unauthenticated: 401,
};

/** Serves questions, health and metrics over HTTP/1.1. */
export function httpListener(options: HttpListenerOptions): RequestListener {
  return (request, response) => {
    // A caller that goes away breaks the connection, which is no error of this program.
    response.on("error", () => undefined);
    const [path = "/"] = (request.url ?? "/").split("?");
    // The boundary of HTTP: the caller sees a broken connection.
    void serve({ request, response, path }, options).catch(() => response.destroy());
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
}

async function serve(exchange: Exchange, options: HttpListenerOptions): Promise<void> {
  const { response, path } = exchange;
  if (path === options.path) return serveQuestion(exchange, options);
  if (path === "/healthz") return sendText(response, 200, "ok\n");
  if (path === "/readyz") {
    return options.answering.isStopping
      ? sendText(response, 503, "stopping\n")
      : sendText(response, 200, "ok\n");
  }
  const metrics = path === "/metrics" ? await options.metricsText() : undefined;
  if (metrics === undefined)
    return sendJson(response, 404, { error: `there is nothing here: the picker is at ${options.path}` });
  response.writeHead(200, { "content-type": metrics.contentType }).end(metrics.text);
}

async function serveQuestion({ request, response }: Exchange, options: HttpListenerOptions): Promise<void> {
  const problem = problemWith(request, options);
  if (problem !== undefined) {
    response.setHeader("connection", "close"); // the body is not read
    return sendJson(response, problem.status, { error: problem.error });
  }
  const gone = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  const workload = workloadFrom((name) => headerOf(request, name));
  const read = async () => {
    const bytes = await readBody(request);
    return bytes instanceof Uint8Array ? parseQuestion(bytes, workload) : bytes;
  };
  const answer = await options.answering.answer(read, { protocol: "http", signal: gone.signal });
  if (!response.destroyed) send(response, answer);
}

/** Why a question is not even read. */
function problemWith(
  request: IncomingMessage,
  { answering, isTrusted }: HttpListenerOptions,
): { readonly status: number; readonly error: string } | undefined {
  if (request.method !== "POST") return { status: 405, error: "questions are asked with POST" };
  const caller = {
    header: (name: string) => headerOf(request, name),
    hasCertificate: certificateOf(request.socket),
  };
  if (!isTrusted(caller)) return { status: 401, error: answering.refuseCaller("http").message };
  const type = request.headers["content-type"];
  if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type))
    return { status: 415, error: "questions are application/json" };
  return Number(request.headers["content-length"] ?? 0) > maxQuestionBytes
    ? { status: 413, error: `a question has at most ${maxQuestionBytes} bytes` }
    : undefined;
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

async function readBody(request: IncomingMessage): Promise<Uint8Array | Refused> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxQuestionBytes)
        return refused("bad_request", `a question has at most ${maxQuestionBytes} bytes`);
      chunks.push(chunk);
    }
  } catch {
    return refused("cancelled", "the connection broke"); // the only error of a request that is being read
  }
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, answer: PickAnswer): void {
  if (answer.kind === "answered") {
    sendJson(response, 200, {
      chosen_pods: answer.chosen,
      tied_pods: answer.tied,
      ...(answer.protects === undefined ? {} : { protected_pods: answer.protects }),
    });
    return;
  }
  if (!response.req.complete) response.setHeader("connection", "close");
  sendJson(response, statusCodes[answer.refusal], { error: answer.message });
}

const extraHeaders: ReadonlyMap<number, readonly [string, string]> = new Map([
  [401, ["www-authenticate", "Bearer"]],
  [405, ["allow", "POST"]],
]);

function sendJson(response: ServerResponse, status: number, body: object): void {
  const extra = extraHeaders.get(status);
  if (extra !== undefined) response.setHeader(...extra);
  const text = JSON.stringify(body);
  response
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(text);
}
