import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { newUid } from "../../../machinery/random/identifiers.ts";
import { authenticate } from "./request/authenticate-request.ts";
import { impersonatedUser } from "./request/impersonation.ts";
import { unauthorized } from "../status-errors.ts";
import type { HttpDependencies } from "./http-dependencies.ts";
import { checkHostAndOrigin } from "./request/check-request-headers.ts";
import { requestInfoOf } from "./request/request-info.ts";
import { checkTimeout, isWatch } from "./request/request-options.ts";
import { requestTarget } from "./request/request-target.ts";
import { sendError } from "./response/send-response.ts";
import { aggregatedAt, serveAggregated } from "./serve-aggregated.ts";
import { serveNonResource } from "./serve-non-resource.ts";
import { serveResource } from "./serve-resource.ts";

/** Serves HTTP requests: filters, then the resource or path; every error becomes a Status response. */
export function requestListener(deps: HttpDependencies): RequestListener {
  return (request, response) => {
    response.setHeader("Audit-Id", newUid(deps.random));
    response.setHeader("Cache-Control", "no-cache, private");
    response.on("error", (error) => deps.log.debug("a client went away", { error }));
    serve(deps, request, response).catch((error: unknown) => sendError(deps, response, error));
  };
}

async function serve(
  deps: HttpDependencies,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const forbidden = checkHostAndOrigin(request, deps.hosts);
  if (forbidden !== undefined) throw forbidden;
  const url = requestTarget(request.url ?? "/");
  const sender = authenticate(request, deps.authenticate);
  const user = sender && impersonatedUser(request, sender, deps.authorizer);
  const exchange = { deps, request, response, url, user };
  const info = requestInfoOf(url.pathname);
  const api = aggregatedAt(exchange, info);
  if (api !== undefined) {
    await serveAggregated(exchange, { info, api });
    return;
  }
  if (!isWatch(url.searchParams)) checkTimeout(url.searchParams);
  if (info.to === "non-resource") {
    await serveNonResource(exchange, info.path);
    return;
  }
  if (user === undefined) throw unauthorized();
  await serveResource(exchange, info, user);
}
