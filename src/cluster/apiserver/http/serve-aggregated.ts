import type { IncomingMessage } from "node:http";
import { readableBody } from "../aggregation/readable-body.ts";
import type { AggregatedApi } from "../aggregation/aggregated-api.ts";
import type { ExtensionReply } from "../aggregation/extension-transport.ts";
import { forwardedHeaders, returnedHeaders } from "../aggregation/proxy-headers.ts";
import type { User } from "../auth/user.ts";
import { notImplemented, timedOut, tooManyRequests, unauthorized } from "../status-errors.ts";
import { checkPathAccess, checkResourceAccess } from "./check-access.ts";
import type { Exchange } from "./http-dependencies.ts";
import { type RequestInfo, verbOf } from "./request/request-info.ts";
import { isWatch } from "./request/request-options.ts";
import { sendText } from "./response/send-response.ts";

/** A request to an API that an extension API server has. */
export interface AggregatedRequest {
  readonly info: RequestInfo;
  readonly api: AggregatedApi;
}

/** Serves such a request: checks who asks and whether that is allowed, and passes it on. Admission is not ours. */
export async function serveAggregated(exchange: Exchange, { info, api }: AggregatedRequest): Promise<void> {
  const { user } = exchange;
  if (user === undefined) throw unauthorized();
  checkAccess(exchange, info, user);
  if (!api.isAvailable) {
    sendUnavailable(exchange, "service unavailable");
    return;
  }
  if (exchange.request.headers.upgrade !== undefined)
    throw notImplemented("requests to extension API servers that ask for another protocol are not supported");
  await counted(exchange, () => passOn(exchange, api, user));
}

/** Returns the API at a path, if an extension API server has it. */
export function aggregatedAt({ deps }: Pick<Exchange, "deps">, info: RequestInfo): AggregatedApi | undefined {
  if (info.to === "resource") return deps.aggregator.find(info.group, info.version);
  const [, root, group, version, ...rest] = info.path.split("/");
  if (root !== "apis" || group === undefined || version === undefined || rest.length > 0) return undefined;
  return deps.aggregator.find(group, version);
}

function checkAccess({ deps, request, url }: Exchange, info: RequestInfo, user: User): void {
  const method = request.method ?? "GET";
  if (info.to === "resource") {
    const verb = verbOf(method, info.name !== undefined, isWatch(url.searchParams));
    checkResourceAccess(deps, user, { info, verb: verb ?? method.toLowerCase() });
    return;
  }
  const verb = method === "GET" || method === "HEAD" ? "get" : method.toLowerCase();
  checkPathAccess(deps, user, { verb, path: info.path });
}

/** Counts a request as a watch or a write until its response has ended, like one to a resource of this server. */
async function counted({ deps, request, url }: Exchange, work: () => Promise<void>): Promise<void> {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isRead && !isWatch(url.searchParams)) return work();
  const kind = isRead ? "watches" : "writes";
  if (deps.inFlight[kind] >= deps.limits[kind])
    throw tooManyRequests(`too many ${isRead ? kind : "requests"}, please try again later`, 1);
  deps.inFlight[kind]++;
  try {
    await work();
  } finally {
    deps.inFlight[kind]--;
  }
}

async function passOn(exchange: Exchange, api: AggregatedApi, user: User): Promise<void> {
  const { deps, request, response } = exchange;
  const disconnected = new AbortController();
  response.on("close", () => disconnected.abort());
  const deadline = isWatch(exchange.url.searchParams)
    ? undefined
    : deps.clock.after(timeoutMs, () => disconnected.abort());
  response.on("close", () => deadline?.cancel());
  const reply = await deps.aggregator.send(api, {
    method: request.method ?? "GET",
    path: request.url ?? "/",
    headers: forwardedHeaders(request.headersDistinct, user),
    ...(hasBody(request) && { body: request }),
    signal: disconnected.signal,
  });
  if (!reply.ok && disconnected.signal.aborted)
    throw timedOut("request did not complete within the allotted timeout");
  if (!reply.ok) {
    sendUnavailable(exchange, `error trying to reach service: ${reply.why}`);
    return;
  }
  await passBack(exchange, reply);
}

/** How long a request may take, unless it is a watch. */
const timeoutMs = 60_000;

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Passes on a response; a redirect, which could lead a client anywhere, becomes an error. */
async function passBack(
  exchange: Exchange,
  { code, headers, body }: Extract<ExtensionReply, { readonly ok: true }>,
): Promise<void> {
  const { response } = exchange;
  if (code >= 300 && code < 400 && headers["location"] !== undefined) {
    body.destroy();
    const text = "the backend attempted to redirect this request, which is not permitted";
    sendText(response, text, { code: 502, type: plainText });
    return;
  }
  response.statusCode = code;
  for (const [name, value] of Object.entries(returnedHeaders(headers)))
    response.setHeader(name, typeof value === "string" ? value : [...value]);
  response.flushHeaders();
  await finished(exchange, readableBody(body));
}

/** Passes on the body as it comes, no faster than the client reads it; resolves when it has ended. */
function finished({ response }: Exchange, body: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve) => {
    response.on("close", resolve);
    response.on("finish", resolve);
    // Part of the response is sent already: only closing the connection tells the client that it is incomplete.
    body.on("error", () => response.destroy());
    body.on("close", () => {
      if (!response.writableEnded) response.destroy();
    });
    body.pipe(response);
  });
}

const plainText = "text/plain; charset=utf-8";

/** Sends 503 as upstream's aggregator does: as text, not as a Status. */
function sendUnavailable({ response }: Exchange, why: string): void {
  const headers = { "X-Content-Type-Options": "nosniff" };
  sendText(response, `${why}\n`, { code: 503, type: plainText, headers });
}
