import { base64Bytes } from "../../api/base64.ts";
import { utf8Text } from "../../api/bytes.ts";
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

/** Returns what is wrong with certificates and keys. */
export type CheckTrust = (trust: TlsTrust) => string | undefined;

export type ReadTrust = { readonly kind: "trust"; readonly trust: TlsTrust } | PickerFailure;

/** The names of the Secrets that a picker's certificates come from. */
export function secretsOfTrust({ ca, clientCertificate }: PickerTrust = {}): readonly string[] {
  return [ca?.name ?? [], clientCertificate ?? []].flat();
}

/** The certificates of a picker's Secrets. What is wrong with them is said by field, without their values. */
export function readTrust(
  { ca, clientCertificate, serverName }: PickerTrust,
  found: ReadSecrets,
  checkTrust: CheckTrust | undefined,
): ReadTrust {
  const authorities = ca && readKeys(found, ca.name, { ca: ca.key });
  if (authorities?.kind === "failed") return authorities;
  const client = readClient(clientCertificate, found);
  if (client?.kind === "failed") return client;
  const trust = {
    ...authorities,
    ...(client && { client }),
    ...(serverName !== undefined && { serverName }),
  };
  const problem = checkTrust?.(trust);
  return problem === undefined
    ? { kind: "trust", trust }
    : permanentFailure("InvalidCertificate", { problem });
}

function readClient(secret: string | undefined, found: ReadSecrets) {
  return secret === undefined
    ? undefined
    : readKeys(found, secret, { certificate: "tls.crt", key: "tls.key" });
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
  const decoded = texts.map(([name, data = ""]) => [name, utf8Text(base64Bytes(data))]);
  return Object.fromEntries(decoded) as Texts<Name>;
}
