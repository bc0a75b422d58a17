import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError } from "../machinery/client/api-error.ts";
import { parseResponse } from "../machinery/client/http/response.ts";
import type { OpenRequest } from "../machinery/client/http/transport.ts";
import { networkClock } from "../machinery/clock/clock.ts";
import type { ClusterFacts } from "./contract.ts";
import { type Forwarding, forwardRead, refusalOf } from "./forward-read.ts";
import { forwardedRequest } from "./forwarded-request.ts";
import type { Page } from "./page.ts";
import { forbiddenStatus, notFoundStatus, refusal } from "./refusal.ts";
import { sendJson, sendRefusal } from "./send.ts";
import { serveAction } from "./serve-action.ts";
import { servePickerQuestion } from "./serve-picker-question.ts";
import { serveScaledObjects } from "./scaled-objects.ts";
import { serveAsset, serveIndex } from "./serve-bundle.ts";
import { type Session, sessionLimits } from "./sessions.ts";
import { readWatches, sendWatches } from "./watch-stream.ts";

/** A request of a browser that has a session. */
export interface SessionExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly query: string;
}

/** Serves a browser that has opened a link; what it has open at once is limited. */
export async function serveSession(page: Page, session: Session, exchange: SessionExchange): Promise<void> {
  const { open } = session;
  if (open.requests >= sessionLimits.requests) {
    sendRefusal(exchange.response, tooMany("requests"));
    return;
  }
  open.requests++;
  try {
    await serveCounted(page, session, exchange);
  } finally {
    open.requests--;
  }
}

const tooMany = (what: string) =>
  refusal(429, "TooManyRequests", `this browser has too many ${what} open, please try again later`);

function serveCounted(page: Page, session: Session, exchange: SessionExchange): Promise<void> {
  const { response, path } = exchange;
  const forwarding = forwardingOf(page, session, response);
  const { clock } = forwarding;
  const { folder } = page;
  switch (path) {
    case "/":
      return serveIndex({ response, folder, clock });
    case "/cluster.json":
      return serveFacts(page, forwarding);
    case "/scaled.json":
      return serveScaledObjects(page, forwarding);
    case "/watch":
      return serveWatches(session, forwarding, exchange.query);
    case "/debug/decisions":
    case "/debug/placements":
      return serveRecords(page, forwarding, exchange);
    case "/do":
      return serveDo(page, forwarding, exchange.request);
    case "/ask-pickers":
      return servePickerQuestion(exchange.request, forwarding, page);
    default:
      if (path.startsWith("/assets/")) return serveAsset({ response, folder, clock }, path);
      return serveRead(session, forwarding, exchange);
  }
}

/** The request ends with the browser, its session or this server, whichever ends first. */
function forwardingOf(
  { open, clock, stopping }: Page,
  session: Session,
  response: ServerResponse,
): Forwarding {
  const ending = new AbortController();
  const causes = [session.ended, stopping];
  const end = () => response.destroy();
  for (const cause of causes) {
    setMaxListeners(0, cause); // a browser has several requests open
    cause.addEventListener("abort", end, { once: true });
  }
  response.on("close", () => {
    for (const cause of causes) cause.removeEventListener("abort", end);
    ending.abort(new Error("the browser went away"));
  });
  return { open, response, clock: networkClock(clock), signal: ending.signal };
}

async function serveFacts(page: Page, forwarding: Forwarding): Promise<void> {
  const { response, signal } = forwarding;
  try {
    const facts: ClusterFacts = {
      ...page.cluster,
      asksPickers: page.askPickers !== undefined,
      version: await versionOf(page.open, signal),
      time: page.time(),
    };
    sendJson(response, facts);
  } catch (error) {
    // The boundary of HTTP.
    sendRefusal(response, refusalOf(error));
  }
}

/** The version of the API server; empty for a user who may not ask. */
async function versionOf(open: OpenRequest, signal: AbortSignal): Promise<string> {
  const request = { method: "GET", path: "/version" } as const;
  try {
    const { body } = await open(request, signal);
    const { gitVersion } = parseResponse(request, await body.text());
    return typeof gitVersion === "string" ? gitVersion : "";
  } catch (error) {
    if (error instanceof ApiError) return "";
    throw error;
  }
}

async function serveRead(
  session: Session,
  forwarding: Forwarding,
  { request }: SessionExchange,
): Promise<void> {
  const read = forwardedRequest(request.url ?? "");
  if (!read.ok) sendRefusal(forwarding.response, read.refusal);
  else if (read.request.isText === true)
    await forwardRead(forwarding, read.request.path, "text/plain; charset=utf-8");
  else if (!read.request.isWatch) await forwardRead(forwarding, read.request.path);
  else await countedAsWatch(session, forwarding, () => forwardRead(forwarding, read.request.path));
}

async function serveWatches(session: Session, forwarding: Forwarding, query: string): Promise<void> {
  const read = readWatches(query);
  if (!read.ok) sendRefusal(forwarding.response, read.refusal);
  else await countedAsWatch(session, forwarding, () => sendWatches(forwarding, read.watches));
}

async function countedAsWatch(
  { open }: Session,
  { response }: Forwarding,
  serve: () => Promise<void>,
): Promise<void> {
  if (open.watches >= sessionLimits.watches) {
    sendRefusal(response, tooMany("watches"));
    return;
  }
  open.watches++;
  try {
    await serve();
  } finally {
    open.watches--;
  }
}

async function serveRecords(
  { cluster: { records } }: Page,
  forwarding: Forwarding,
  { path, query }: SessionExchange,
): Promise<void> {
  if (!records.some((record) => path === `/debug/${record}`)) {
    sendRefusal(forwarding.response, noRecords);
    return;
  }
  const given = new URLSearchParams(query);
  const selection = new URLSearchParams([...given].filter(([name]) => recordParameters.has(name)));
  await forwardRead(forwarding, `${path}?${selection.toString()}`);
}

const recordParameters: ReadonlySet<string> = new Set(["namespace", "name", "nodes", "limit"]);

const noRecords = notFoundStatus("this cluster keeps no records of decisions: only those of trimtab up do");

async function serveDo(page: Page, forwarding: Forwarding, request: IncomingMessage): Promise<void> {
  if (page.cluster.writes) await serveAction(request, forwarding, page);
  else sendRefusal(forwarding.response, readOnly);
}

const readOnly = forbiddenStatus("this page only reads: it changes clusters of trimtab up alone");
