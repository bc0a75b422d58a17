import type { IncomingMessage } from "node:http";
import type { ApiError } from "../../../../machinery/client/api-error.ts";
import { forbiddenAccess } from "../../status-errors.ts";

const servedHosts: ReadonlySet<string> = new Set([
  "localhost",
  "127.0.0.1",
  "[::1]",
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
]);

/**
 * Why a request is refused before anyone looks at it: it was sent to a name that is not ours, as a page does that
 * had its own name point here, or on behalf of a page from elsewhere.
 */
export function checkHostAndOrigin(
  request: IncomingMessage,
  alsoOurs: ReadonlySet<string>,
): ApiError | undefined {
  const { host = "", origin } = request.headers;
  const name = hostName(host);
  if (!servedHosts.has(name) && !alsoOurs.has(name))
    return forbiddenAccess(`requests for host ${JSON.stringify(host)} are not served here`);
  if (origin === undefined || origin === `https://${host}`) return undefined;
  return forbiddenAccess(`requests from pages of ${JSON.stringify(origin)} are not served here`);
}

function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, "");
}

/** Why a request in somebody else's name is refused: whoever may ask may do everything, and nobody may be another. */
export function checkImpersonation({ headers }: IncomingMessage): ApiError | undefined {
  const name = Object.keys(headers).find((header) => header.startsWith("impersonate-"));
  return name === undefined ? undefined : forbiddenAccess(`impersonation is not supported (header ${name})`);
}
