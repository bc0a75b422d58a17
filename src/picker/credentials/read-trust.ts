import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { permanentFailure, type PickerFailure } from "../picker-failure.ts";
import type { PickerTrust } from "../picker-settings.ts";
import { dataOf, missingSecretKey, type ReadSecrets } from "./read-secrets.ts";

/** How a TLS connection to a picker is verified; certificates and keys as PEM. */
export interface TlsTrust {
  /** The only CAs that are trusted. */
  readonly ca?: string;
  readonly client?: { readonly certificate: string; readonly key: string };
  readonly serverName?: string;
}

export type ReadTrust = { readonly kind: "trust"; readonly trust: TlsTrust } | PickerFailure;

/** The names of the Secrets that a picker's certificates come from. */
export function secretsOfTrust({ ca, clientCertificate }: PickerTrust = {}): readonly string[] {
  return [ca?.name ?? [], clientCertificate ?? []].flat();
}

/** The certificates of a picker's Secrets. What is wrong with them is said by field, without their values. */
export function readTrust({ ca, clientCertificate, serverName }: PickerTrust, found: ReadSecrets): ReadTrust {
  const authorities = ca && readKeys(found, ca.name, { ca: ca.key });
  if (authorities?.kind === "failed") return authorities;
  const client =
    clientCertificate === undefined
      ? undefined
      : readKeys(found, clientCertificate, { certificate: "tls.crt", key: "tls.key" });
  if (client?.kind === "failed") return client;
  const trust = {
    ...authorities,
    ...(client && { client }),
    ...(serverName !== undefined && { serverName }),
  };
  const problem = problemWith(trust);
  return problem === undefined
    ? { kind: "trust", trust }
    : permanentFailure("InvalidCertificate", { problem });
}

type Texts<Name extends string> = Readonly<Record<Name, string>> & { readonly kind?: never };

/** The texts of some keys of a Secret, all of which have to exist. */
function readKeys<Name extends string>(
  found: ReadSecrets,
  secret: string,
  keys: Readonly<Record<Name, string>>,
): Texts<Name> | PickerFailure {
  const read = found.get(secret);
  if (read?.kind === "failed") return read;
  const texts = Object.entries<string>(keys).map(([name, key]) => [name, dataOf(read?.secret, key)] as const);
  const missing = Object.values<string>(keys).find((key) => dataOf(read?.secret, key) === undefined);
  if (missing !== undefined) return missingSecretKey(read?.secret, { name: secret, key: missing });
  const decoded = texts.map(([name, data = ""]) => [name, Buffer.from(data, "base64").toString("utf8")]);
  return Object.fromEntries(decoded) as Texts<Name>;
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function problemWith({ ca, client }: TlsTrust): string | undefined {
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
