import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { networkClock } from "../machinery/clock/clock.ts";
import { bindServer, closeServer, requestDeadlines } from "../machinery/https-server/bind-server.ts";
import { ConnectionLimit } from "../machinery/https-server/connection-limit.ts";
import { newSecret as newSystemSecret } from "../machinery/random/system-random.ts";
import { checkRequest } from "./check-request.ts";
import { linkNeededPage, openedPage } from "./message-pages.ts";
import { OneTimeLinks } from "./one-time-links.ts";
import type { Page, PageServerOptions } from "./page.ts";
import { refusal } from "./refusal.ts";
import { sendHtml, sendRefusal } from "./send.ts";
import { serveSession } from "./serve-session.ts";
import { cookieOf, Sessions, setCookie } from "./sessions.ts";
import { splitTarget } from "./forwarded-request.ts";

/** A page that is being served. */
export interface PageServer {
  /** `http://127.0.0.1:PORT`, which needs a cookie. */
  readonly url: string;
  /** Returns a new link, which opens the page once. */
  readonly newLink: () => string;
  /** Ends every connection; resolves when the port is free again. */
  readonly close: () => Promise<void>;
}

const host = "127.0.0.1";

/** Limits what clients hold of this server: a browser has six connections, and any program of this machine can connect. */
const limits = {
  ...requestDeadlines,
  maxHeaderSize: 16 * 1024,
  requestTimeout: 20_000,
  keepAliveTimeout: 20_000,
};
const maxConnections = 128;

/** Serves the page on loopback; throws one sentence when the port cannot be bound. */
export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  const { newSecret = newSystemSecret, log, clock } = options;
  const links = new OneTimeLinks(networkClock(clock), newSecret);
  const sessions = new Sessions(newSecret);
  const stopping = new AbortController();
  const server = createServer({ ...limits, noDelay: true });
  const connections = new ConnectionLimit(maxConnections);
  server.on("connection", (socket) => connections.accept(socket));
  const port = await bindServer(server, host, options.port);
  const page: Page = { ...options, port, links, sessions, stopping: stopping.signal };
  server.on("request", (request, response) => {
    connections.track(request, response);
    response.on("error", (error) => log.debug("a browser went away", { error }));
    serve(page, request, response).catch((error: unknown) => {
      if (!request.complete && request.destroyed) return; // it broke off
      log.error("a request of the page failed", { error });
      const message = "the server of the page could not answer this request; its log says why";
      sendRefusal(response, refusal(503, "ServiceUnavailable", message));
    });
  });
  const url = `http://${host}:${port}`;
  return {
    url,
    newLink: () => `${url}/open?link=${links.issue()}`,
    async close() {
      stopping.abort(new Error("the server of the page stops"));
      await closeServer(server);
    },
  };
}

async function serve(page: Page, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const refused = checkRequest(request, page.port);
  if (refused !== undefined) {
    sendRefusal(response, refused);
    return;
  }
  const [path, query] = splitTarget(request.url ?? "/");
  if (path === "/open") {
    openLink(page, { request, query }, response);
    return;
  }
  const session = page.sessions.find(cookieOf(request.headers.cookie, page.port));
  if (session !== undefined) await serveSession(page, session, { request, response, path, query });
  else if (path === "/") sendHtml(response, linkNeededPage, { code: 401 });
  else sendRefusal(response, noSession);
}

const noSession = refusal(
  401,
  "Unauthorized",
  "the session of this page has ended: open a new link, which trimtab page prints",
);

/** Begins a session for the browser that opens a link first. */
function openLink(
  { links, sessions, port }: Page,
  { request, query }: { readonly request: IncomingMessage; readonly query: string },
  response: ServerResponse,
): void {
  if (request.headers["sec-purpose"] !== undefined) {
    // A browser that guesses where the user will go must not use up the link.
    sendRefusal(response, refusal(503, "ServiceUnavailable", "links are not opened in advance"));
    return;
  }
  if (!links.redeem(new URLSearchParams(query).get("link") ?? "")) {
    sendHtml(response, linkNeededPage, { code: 401 });
    return;
  }
  sendHtml(response, openedPage, { headers: { "Set-Cookie": setCookie(port, sessions.begin()) } });
}
