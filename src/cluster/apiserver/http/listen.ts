import type { Instant } from "../../../api/time.ts";
import {
  type CertificateAuthority,
  issueCertificate,
  type KeyPair,
} from "../../../machinery/certificates/certificate.ts";
import {
  type HttpsServer,
  loopbackAddress,
  loopback6,
  serveHttps,
} from "../../../machinery/https-server/serve-https.ts";
import type { Random } from "../../../machinery/random/random.ts";
import { defaultServiceNetwork } from "../registry/service-network.ts";
import type { HttpDependencies } from "./http-dependencies.ts";
import { tooManyRequests } from "../status-errors.ts";
import { requestListener } from "./request-listener.ts";
import { requestsInTurn } from "./requests-in-turn.ts";
import { sendError } from "./response/send-response.ts";

/** Where the API server listens, and who signs its certificate. */
export interface ApiServerListenOptions {
  /** Absent: loopback, over IPv4 and IPv6. */
  readonly host?: string | undefined;
  /** Names and addresses besides `servedNames` under which clients reach the server. */
  readonly names?: readonly string[] | undefined;
  /** 0: any free port. */
  readonly port: number;
  readonly authority: CertificateAuthority;
  /** The certificate of the server; absent: one that the authority signs. */
  readonly certificate?: KeyPair | undefined;
  /** The authority of client certificates, as PEM; absent: the same. */
  readonly clientAuthority?: string | undefined;
  readonly now: Instant;
  readonly random: Random;
}

/** The names in every certificate: loopback, and the names by which Pods reach the API server. */
const servedNames = [
  "localhost",
  loopbackAddress,
  loopback6,
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
  defaultServiceNetwork.firstAddress,
];

/** Serves the API over HTTPS; throws one sentence when the port cannot be bound. */
export function listen(
  dependenciesAt: (address: string, names: readonly string[]) => HttpDependencies,
  options: ApiServerListenOptions,
): Promise<HttpsServer> {
  const { host = loopbackAddress, names = [], port, authority, clientAuthority } = options;
  const shown = options.certificate ?? ownCertificate(options);
  const listenerAt = (address: string) => {
    const deps = dependenciesAt(address, [host, ...names]);
    return requestsInTurn(requestListener(deps), (response) => sendError(deps, response, tooManyAtATime()));
  };
  return serveHttps(listenerAt, {
    ...shown,
    host,
    port,
    clientAuthority: clientAuthority ?? authority.certificate,
  });
}

function ownCertificate({
  host = loopbackAddress,
  names = [],
  authority,
  now,
  random,
}: ApiServerListenOptions) {
  return issueCertificate(authority, {
    subject: { commonName: "trimtab" },
    use: "server",
    hosts: [...new Set([...servedNames, ...names, host])],
    now,
    random,
  });
}

const tooManyAtATime = () =>
  tooManyRequests("too many requests on one connection before their responses, please try again later", 1);
