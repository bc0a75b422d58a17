import type { Instant } from "../../../api/time.ts";
import { createCertificateAuthority, issueCertificate } from "../../../machinery/certificates/certificate.ts";
import type { Random } from "../../../machinery/random/random.ts";
import { type FrontProxy, frontProxyName } from "./extension-authentication.ts";

/** Creates an authority, and the certificate of this server as a client. */
export function createFrontProxy(now: Instant, random: Random): FrontProxy {
  const authority = createCertificateAuthority(now, random, "front-proxy-ca");
  const subject = { commonName: frontProxyName };
  return {
    authority: authority.certificate,
    client: issueCertificate(authority, { subject, use: "client", now, random }),
  };
}
