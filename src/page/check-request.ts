import type { IncomingMessage } from "node:http";
import { pageHeader } from "./contract.ts";
import { badRequestStatus, forbiddenStatus, type RefusalStatus, refusal } from "./refusal.ts";
import { splitTarget } from "./forwarded-request.ts";

/** The paths that links of other sites may open; requests for all other paths have to come from the page itself. */
const openToLinks: ReadonlySet<string> = new Set(["/", "/open"]);
/** The paths of requests with a body. */
const postPaths: ReadonlySet<string> = new Set(["/do", "/ask-pickers"]);
/** `none`: the user typed the address or opened a bookmark. */
const ownFetchSites: ReadonlySet<string> = new Set(["same-origin", "none"]);

/** The host names of the page. Any other belongs to a site whose name resolves to this machine (DNS rebinding). */
const hostNames = ["127.0.0.1", "localhost"];

/** Returns why a request is refused, whatever it asks for; called before anything else is read. */
export function checkRequest(request: IncomingMessage, port: number): RefusalStatus | undefined {
  return checkTarget(request) ?? checkHost(request, port) ?? checkSender(request) ?? checkMethod(request);
}

function checkTarget({ url = "", headers }: IncomingMessage): RefusalStatus | undefined {
  if (!url.startsWith("/")) return badRequestStatus("the target of the request is no path");
  if (headers.upgrade !== undefined) return badRequestStatus("other protocols than HTTP are not served here");
  return undefined;
}

function checkHost({ headersDistinct }: IncomingMessage, port: number): RefusalStatus | undefined {
  const hosts = headersDistinct["host"] ?? [];
  const [host = ""] = hosts;
  if (hosts.length === 1 && hostNames.some((name) => host === hostOf(name, port))) return undefined;
  return refusal(
    421,
    "MisdirectedRequest",
    `requests for host ${JSON.stringify(hosts.join(", "))} are not served here`,
  );
}

/** A name with the port, as browsers send it: they leave the port of plain HTTP out. */
const hostOf = (name: string, port: number) => (port === 80 ? name : `${name}:${port}`);

function checkSender({ headers, headersDistinct, url = "" }: IncomingMessage): RefusalStatus | undefined {
  const origins = headersDistinct["origin"] ?? [];
  if (origins.some((origin) => origin !== ownOrigin(headers.host)))
    return forbiddenStatus(
      `requests from pages of ${JSON.stringify(origins.join(", "))} are not served here`,
    );
  const site = headers["sec-fetch-site"];
  if (site === undefined || ownFetchSites.has(site) || openToLinks.has(splitTarget(url)[0])) return undefined;
  return forbiddenStatus("requests from other pages are not served here");
}

function checkMethod(request: IncomingMessage): RefusalStatus | undefined {
  const { method, url = "" } = request;
  const [path] = splitTarget(url);
  if (postPaths.has(path))
    return method === "POST" ? checkAction(request) : notAllowed(`${path} is served to POST only`);
  if (method !== "GET") return notAllowed("only GET is served here");
  return hasBody(request) ? badRequestStatus("a GET has no body") : undefined;
}

/** Requires what pages of other origins cannot send: the exact Origin, the page's own header, and JSON. */
function checkAction({ headers }: IncomingMessage): RefusalStatus | undefined {
  if (headers.origin !== ownOrigin(headers.host))
    return forbiddenStatus("actions need the Origin of the page");
  if (headers[pageHeader] !== "1") return forbiddenStatus("actions need the header Trimtab-Page: 1");
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  if (type.trim().toLowerCase() === "application/json") return undefined;
  return refusal(415, "UnsupportedMediaType", "actions are application/json");
}

const ownOrigin = (host: string | undefined) => `http://${host}`;

const notAllowed = (message: string) => refusal(405, "MethodNotAllowed", message);

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
