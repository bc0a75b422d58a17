import type { ServerResponse } from "node:http";
import {
  type DiagnosticsResponse,
  healthResponse,
  isHealth,
  isPrivileged,
  privilegedResponse,
} from "../../../machinery/diagnostics/diagnostics.ts";
import { issuerPaths } from "../auth/issuer-discovery.ts";
import type { User } from "../auth/user.ts";
import { discoveryFormatOf } from "../discovery/discovery-format.ts";
import { methodNotAllowed, noSuchPath, unauthorized } from "../status-errors.ts";
import { checkPathAccess } from "./check-access.ts";
import type { Exchange, HttpDependencies } from "./http-dependencies.ts";
import { sendText, sendValue } from "./response/send-response.ts";
import { serveOpenApi } from "./serve-openapi.ts";

/** Serves the paths that are not resources: health, version, discovery, OpenAPI, diagnostics; throws 404 for others. */
export async function serveNonResource(exchange: Exchange, path: string): Promise<void> {
  const { method = "" } = exchange.request;
  const reads = method === "GET" || method === "HEAD";
  if (reads && serveUnauthenticated(exchange, path)) return;
  const { user } = exchange;
  if (user === undefined) throw unauthorized();
  if (!reads) return serveWrite(exchange, path, user);
  if (serveDiscovery(exchange, path) || (await serveOpenApi(exchange, path))) return;
  await serveByRole(exchange, path, user);
}

/** Serves paths that need a role; throws 404 for paths that are not served, and 403 to users without the role. */
async function serveByRole(exchange: Exchange, path: string, user: User): Promise<void> {
  checkPathAccess(exchange.deps, user, { verb: "get", path });
  if (path === "/") return sendValue(exchange.response, { paths: rootPaths(exchange.deps) });
  if (serveIssuerDiscovery(exchange, path) || (await serveDiagnostics(exchange, path))) return;
  throw noSuchPath();
}

/** Serves paths that need no authentication. */
function serveUnauthenticated({ response, deps, url }: Exchange, path: string): boolean {
  if (path === "/version") {
    sendValue(response, deps.version);
    return true;
  }
  return sendDiagnostics(response, healthResponse(deps, path, url.searchParams));
}

function serveDiscovery({ request, response, deps }: Exchange, path: string): boolean {
  const document = deps.discovery.document(path, discoveryFormatOf(request.headers.accept));
  if (document === undefined) return false;
  const { etag, body, contentType } = document;
  const headers = { ETag: etag, Vary: "Accept", "Cache-Control": "public" };
  const isKnown = request.headers["if-none-match"] === etag;
  sendText(response, isKnown ? "" : body, { code: isKnown ? 304 : 200, type: contentType, headers });
  return true;
}

/** Serves the documents for checking service account tokens. */
function serveIssuerDiscovery({ response, deps }: Exchange, path: string): boolean {
  const document = deps.issuer(path);
  if (document === undefined) return false;
  const headers = { "Cache-Control": "public, max-age=3600" };
  sendValue(response, document.value, { type: document.type, headers });
  return true;
}

/** Serves metrics and decisions. */
async function serveDiagnostics({ response, deps, url }: Exchange, path: string): Promise<boolean> {
  if (!isPrivileged(path)) return false;
  return sendDiagnostics(response, await privilegedResponse(deps, path, url.searchParams));
}

/** Performs the action of an administrator's POST below `/debug/`; throws 405 for other paths that can be read. */
async function serveWrite(exchange: Exchange, path: string, user: User): Promise<void> {
  const { request, response, deps, url } = exchange;
  const { method = "" } = request;
  checkPathAccess(deps, user, { verb: method.toLowerCase(), path });
  if (isReadOnly(deps, path)) throw methodNotAllowed();
  const isAction = method === "POST" && path.startsWith("/debug/");
  const answer = isAction ? await deps.debugAction?.(path, url.searchParams) : undefined;
  if (answer !== undefined) return sendValue(response, answer);
  const isRead = path.startsWith("/debug/") && deps.debug?.(path, shortest) !== undefined;
  throw isRead ? methodNotAllowed() : noSuchPath();
}

/** The query for learning whether a path can be read: of thousands of placements, one is enough. */
const shortest = new URLSearchParams({ limit: "1" });

/** Reports whether a path is served, but only to readers. */
function isReadOnly(deps: HttpDependencies, path: string): boolean {
  return (
    path === "/" ||
    isHealth(path) ||
    otherPaths.includes(path) ||
    deps.discovery.document(path, "legacy") !== undefined
  );
}

const otherPaths: readonly string[] = [
  ...issuerPaths,
  "/healthz",
  "/livez",
  "/metrics",
  "/openapi/v2",
  "/openapi/v3",
  "/readyz",
  "/version",
];

/** The paths that are not resources, which `/` lists. */
const rootPaths = ({ discovery }: HttpDependencies) => [...discovery.paths, ...otherPaths].toSorted();

function sendDiagnostics(response: ServerResponse, answer: DiagnosticsResponse | undefined): boolean {
  if (answer === undefined) return false;
  const { code, type, body } = answer;
  sendText(response, body, { code, type, headers: { "X-Content-Type-Options": "nosniff" } });
  return true;
}
