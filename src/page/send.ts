import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { RefusalStatus } from "./refusal.ts";

/** Scripts and styles of the page come from this server, and its requests go nowhere else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** What every response has. */
const commonHeaders: OutgoingHttpHeaders = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": contentSecurityPolicy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** The head of a response whose body follows. */
export function writeHead(response: ServerResponse, code: number, headers: OutgoingHttpHeaders): void {
  response.writeHead(code, { ...commonHeaders, ...headers });
}

/** A whole response. */
export function send(
  response: ServerResponse,
  body: string | Uint8Array,
  { code = 200, headers }: { readonly code?: number; readonly headers: OutgoingHttpHeaders },
): void {
  if (response.headersSent || response.destroyed) {
    // Part of another response is out: only closing the connection tells the browser that it is incomplete.
    response.destroy();
    return;
  }
  writeHead(response, code, { ...headers, "Content-Length": Buffer.byteLength(body) });
  response.end(body);
}

export function sendJson(response: ServerResponse, value: object, code = 200): void {
  send(response, JSON.stringify(value), { code, headers: { "Content-Type": "application/json" } });
}

/** Answers with a Status. The connection ends after it where the request may have a body that was not read. */
export function sendRefusal(response: ServerResponse, status: RefusalStatus): void {
  send(response, JSON.stringify(status), {
    code: status.code,
    headers: {
      "Content-Type": "application/json",
      ...(status.code === 429 && { "Retry-After": "1" }),
      ...(!response.req.complete && { Connection: "close" }),
    },
  });
}

export function sendHtml(
  response: ServerResponse,
  html: string,
  options: { readonly code?: number; readonly headers?: OutgoingHttpHeaders } = {},
): void {
  send(response, html, {
    ...options,
    headers: { "Content-Type": "text/html; charset=utf-8", ...options.headers },
  });
}
