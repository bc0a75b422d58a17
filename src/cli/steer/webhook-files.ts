import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import {
  followCertificate,
  type FollowOptions,
  readCertificate,
} from "../../machinery/https-server/serving-certificate.ts";
import type { ServingIdentity } from "../../steering/serving/certificate-secret.ts";
import type { CertificateSource } from "../../steering/steering-config.ts";

type Files = Extract<CertificateSource, { readonly kind: "files" }>;

export type ReadWebhookFiles =
  | { readonly ok: true; readonly pair: ServingIdentity | undefined }
  | { readonly ok: false; readonly problem: string };

/** Reads the files of the webhook's certificate; without files there is a Secret of our own. */
export function readWebhookFiles(certificate: CertificateSource): ReadWebhookFiles {
  return certificate.kind === "files" ? readFiles(certificate) : { ok: true, pair: undefined };
}

function readFiles(files: Files) {
  const read = readCertificate(files);
  if (!read.ok || files.authority === undefined) return read;
  const authority = readTextFile(files.authority);
  if (!authority.ok) return { ok: false as const, problem: `${files.authority}: ${authority.reason}` };
  return { ok: true as const, pair: { ...read.pair, trusted: authority.text } };
}

/** Follows the files of the webhook's certificate, if there are any, as another program renews them. */
export function followWebhookFiles(
  certificate: CertificateSource,
  first: ServingIdentity | undefined,
  options: FollowOptions,
): (() => ServingIdentity) | undefined {
  if (certificate.kind !== "files" || first === undefined) return undefined;
  const renewed = followCertificate(certificate, first, options);
  let known = first;
  return () => {
    const pair = renewed();
    if (pair === undefined) return known;
    const read = readFiles(certificate);
    known = read.ok ? read.pair : { ...known, ...pair };
    return known;
  };
}
