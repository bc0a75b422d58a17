import type { IncomingMessage, ServerResponse } from "node:http";
import { newUid } from "../../../machinery/random/identifiers.ts";
import { badRequest, unauthorized } from "../status-errors.ts";
import { authenticate } from "../auth/authenticate.ts";
import type { HttpDependencies } from "./http-dependencies.ts";
import { checkImpersonation, checkHostAndOrigin } from "./request/check-request-headers.ts";
import { requestInfoOf } from "./request/request-info.ts";
import { sendError } from "./response/send-response.ts";
import { serveNonResource } from "./serve-non-resource.ts";
import { serveResource } from "./serve-resource.ts";

/** Answers HTTP requests; whatever goes wrong becomes a Status, and nothing escapes. */
export function requestListener(
  edge: HttpDependencies,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    response.setHeader("Audit-Id", newUid(edge.random));
    response.setHeader("Cache-Control", "no-cache, private");
    response.on("error", (error) => edge.log.debug("a client went away", { error }));
    serve(edge, request, response).catch((error: unknown) => sendError(edge, response, error));
  };
}

async function serve(
  edge: HttpDependencies,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refused = checkHostAndOrigin(request, edge.hosts);
  if (refused !== undefined) throw refused;
  const url = parsedUrl(request.url ?? "/");
  const user = authenticate(request, edge.authenticate);
  const pretence = user === undefined ? undefined : checkImpersonation(request);
  if (pretence !== undefined) throw pretence;
  const exchange = { edge, request, response, url, user };
  const route = requestInfoOf(url.pathname);
  if (route.to === "elsewhere") {
    await serveNonResource(exchange, route.path);
    return;
  }
  if (user === undefined) throw unauthorized();
  await serveResource(exchange, route, user);
}

function parsedUrl(target: string): URL {
  try {
    return new URL(target, "https://localhost");
  } catch {
    throw badRequest("the target of the request is no path");
  }
}
