import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import type { TlsTrust } from "./read-trust.ts";

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Returns what is wrong with certificates and keys, by field, without their values. */
export function problemWithTrust({ ca, client }: TlsTrust): string | undefined {
  if (ca !== undefined && !areCertificates(ca))
    return "tls.caSecretRef: the Secret has no valid certificates in PEM";
  return client !== undefined && !isPair(client)
    ? "tls.clientCertificateSecretRef: tls.crt and tls.key are not a certificate and its key in PEM"
    : undefined;
}

/** Whether a text has certificates, all of which can be read. */
export function areCertificates(pem: string): boolean {
  const found = pem.match(pemCertificate) ?? [];
  return found.length > 0 && found.every((each) => isAccepted(() => new X509Certificate(each)));
}

/** Whether a key is that of a certificate. */
export function isPair({ certificate, key }: NonNullable<TlsTrust["client"]>): boolean {
  return isAccepted(() => createSecureContext({ cert: certificate, key }));
}

/** Converts the exception by which OpenSSL reports unreadable input. */
function isAccepted(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
