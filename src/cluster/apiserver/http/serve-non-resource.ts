import type { ServerResponse } from "node:http";
import {
  type DiagnosticsResponse,
  healthResponse,
  isPrivileged,
  privilegedResponse,
} from "../../../machinery/diagnostics/diagnostics.ts";
import type { Access } from "../auth/policy-rules.ts";
import type { User } from "../auth/user.ts";
import { discoveryFormatOf } from "../discovery/discovery-format.ts";
import { forbiddenAccess, methodNotAllowed, noSuchPath, unauthorized } from "../status-errors.ts";
import type { Exchange, HttpDependencies } from "./http-dependencies.ts";
import { sendText, sendValue } from "./response/send-response.ts";
import { serveOpenApi } from "./serve-openapi.ts";

/** Serves the paths that are no resources: health, version, discovery, OpenAPI, diagnostics; throws 404 for others. */
export async function serveNonResource(exchange: Exchange, path: string): Promise<void> {
  const { method = "" } = exchange.request;
  const reads = method === "GET" || method === "HEAD";
  if (reads && serveUnauthenticated(exchange, path)) return;
  const { user } = exchange;
  if (user === undefined) throw unauthorized();
  if (!reads) return serveDebugAction(exchange, path, user);
  if (serveDiscovery(exchange, path) || serveOpenApi(exchange, path)) return;
  await serveByRole(exchange, path, user);
}

/** Serves what a role has to allow; throws 404 for paths that are not served. */
async function serveByRole(exchange: Exchange, path: string, user: User): Promise<void> {
  if (serveIssuerDiscovery(exchange, path, user)) return;
  if (await serveDiagnostics(exchange, path, user)) return;
  throw noSuchPath();
}

/** Serves what needs no authentication. */
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

/** Serves how tokens of service accounts are checked, to those whom a role lets read it. */
function serveIssuerDiscovery({ response, deps }: Exchange, path: string, user: User): boolean {
  const document = deps.issuer(path);
  if (document === undefined) return false;
  checkAccess(deps, user, { verb: "get", path });
  const headers = { "Cache-Control": "public, max-age=3600" };
  sendValue(response, document.value, { type: document.type, headers });
  return true;
}

/** Serves metrics and decisions to administrators. */
async function serveDiagnostics(
  { response, deps, url }: Exchange,
  path: string,
  user: User,
): Promise<boolean> {
  if (!isPrivileged(path)) return false;
  checkAccess(deps, user, { verb: "get", path });
  return sendDiagnostics(response, await privilegedResponse(deps, path, url.searchParams));
}

/** Does what an administrator asks for by a POST; no other path can be written to. */
async function serveDebugAction(exchange: Exchange, path: string, user: User): Promise<void> {
  const { request, response, deps, url } = exchange;
  const { method = "" } = request;
  if (method !== "POST" || !path.startsWith("/debug/") || deps.debugAction === undefined)
    throw methodNotAllowed({ group: "", plural: path }, method);
  checkAccess(deps, user, { verb: "post", path });
  const answer = await deps.debugAction(path, url.searchParams);
  if (answer === undefined) throw noSuchPath();
  sendValue(response, answer);
}

function sendDiagnostics(response: ServerResponse, answer: DiagnosticsResponse | undefined): boolean {
  if (answer === undefined) return false;
  const { code, type, body } = answer;
  sendText(response, body, { code, type, headers: { "X-Content-Type-Options": "nosniff" } });
  return true;
}

function checkAccess(
  { authorizer }: HttpDependencies,
  user: User,
  access: Extract<Access, { readonly path: string }>,
): void {
  if (authorizer.decide(user, access).allowed) return;
  const { verb, path } = access;
  throw forbiddenAccess(`User ${JSON.stringify(user.name)} cannot ${verb} path ${JSON.stringify(path)}`);
}
