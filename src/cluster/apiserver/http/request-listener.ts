import type { IncomingMessage, ServerResponse } from "node:http";
import { newUid } from "../../../machinery/random/identifiers.ts";
import { badRequest, unauthorized } from "../failures.ts";
import { authenticate } from "./authenticate.ts";
import type { Edge } from "./edge.ts";
import { impersonation, intrusion } from "./guard.ts";
import { routeOf } from "./route.ts";
import { sendFailure } from "./send.ts";
import { serveElsewhere } from "./serve-elsewhere.ts";
import { serveResource } from "./serve-resource.ts";

/** Answers HTTP requests; whatever goes wrong becomes a Status, and nothing escapes. */
export function requestListener(edge: Edge): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    response.setHeader("Audit-Id", newUid(edge.random));
    response.setHeader("Cache-Control", "no-cache, private");
    response.on("error", (error) => edge.log.debug("a client went away", { error }));
    serve(edge, request, response).catch((error: unknown) => sendFailure(edge, response, error));
  };
}

async function serve(edge: Edge, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const refused = intrusion(request, edge.hosts);
  if (refused !== undefined) throw refused;
  const url = parsedUrl(request.url ?? "/");
  const user = authenticate(request, edge.authenticate);
  const pretence = user === undefined ? undefined : impersonation(request);
  if (pretence !== undefined) throw pretence;
  const exchange = { edge, request, response, url, user };
  const route = routeOf(url.pathname);
  if (route.to === "elsewhere") {
    await serveElsewhere(exchange, route.path);
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
