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
 * Returns a 403 for a request to a host name that is not served, which a web page sends that resolves its own name to
 * this machine (DNS rebinding), and for a request on behalf of a page of another origin.
 */
export function checkHostAndOrigin(
  request: IncomingMessage,
  alsoServed: ReadonlySet<string>,
): ApiError | undefined {
  const { host = "", origin } = request.headers;
  const name = hostName(host);
  if (!servedHosts.has(name) && !alsoServed.has(name))
    return forbiddenAccess(`requests for host ${JSON.stringify(host)} are not served here`);
  if (origin === undefined || origin === `https://${host}`) return undefined;
  return forbiddenAccess(`requests from pages of ${JSON.stringify(origin)} are not served here`);
}

function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, "");
}
