import type { Instant } from "../../../api/time.ts";
import {
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
} from "../../../machinery/certificates/certificate.ts";
import type { Random } from "../../../machinery/random/random.ts";
import { remoteHeaders } from "./proxy-headers.ts";

/** The certificates by which extension API servers recognise requests of this server and trust their headers. */
export interface FrontProxy {
  /** The authority of the client's certificate, as PEM. It signs nothing else. */
  readonly authority: string;
  readonly client: KeyPair;
}

const clientName = "front-proxy-client";

/** Creates an authority, and the certificate of this server as a client. */
export function createFrontProxy(now: Instant, random: Random): FrontProxy {
  const authority = createCertificateAuthority(now, random, "front-proxy-ca");
  const subject = { commonName: clientName };
  return {
    authority: authority.certificate,
    client: issueCertificate(authority, { subject, use: "client", now, random }),
  };
}

/**
 * Returns the data of the ConfigMap `kube-system/extension-apiserver-authentication`, from which extension API servers
 * learn whom to believe.
 */
export function extensionAuthentication(
  frontProxy: FrontProxy,
  clientAuthority: string,
): Readonly<Record<string, string>> {
  const list = (text: string) => JSON.stringify([text]);
  return {
    "client-ca-file": clientAuthority,
    "requestheader-allowed-names": list(clientName),
    "requestheader-client-ca-file": frontProxy.authority,
    "requestheader-extra-headers-prefix": list(remoteHeaders.extraPrefix),
    "requestheader-group-headers": list(remoteHeaders.group),
    "requestheader-uid-headers": list(remoteHeaders.uid),
    "requestheader-username-headers": list(remoteHeaders.user),
  };
}
