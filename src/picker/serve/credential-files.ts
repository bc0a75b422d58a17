import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import type { RequestTls } from "./bounded-request.ts";
import type { ClientTls } from "./configuration/score-schemas.ts";
import type { SourceFailure } from "./sources/source.ts";

/** The files with which a source shows who asks. */
export interface CredentialFiles {
  readonly bearerTokenFile?: string | undefined;
  readonly basicAuth?: { readonly username: string; readonly passwordFile: string } | undefined;
  readonly tls?: ClientTls | undefined;
}

/** What is sent, or why it is not there. The failure names no file: events show it. */
export type ReadCredentials =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>>; readonly tls: RequestTls }
  | { readonly ok: false; readonly failure: SourceFailure };

/** Reads the files for every question: mounted Secrets are rotated. */
export function readCredentials({ bearerTokenFile, basicAuth, tls = {} }: CredentialFiles): ReadCredentials {
  const missing: string[] = [];
  const read = (what: string, file: string | undefined): string | undefined => {
    if (file === undefined) return undefined;
    const found = readTextFile(file);
    if (!found.ok || found.text.trim() === "") missing.push(what);
    return found.ok ? found.text : undefined;
  };
  const token = read("the token", bearerTokenFile)?.trim();
  const password = read("the password", basicAuth?.passwordFile)?.trim();
  const requestTls = {
    ca: read("the CA", tls.caFile),
    certificate: read("the client certificate", tls.certificateFile),
    key: read("the key of the client certificate", tls.keyFile),
    serverName: tls.serverName,
    isUnverified: tls.insecureSkipVerify,
  };
  if (missing.length > 0) {
    const detail = `${missing.join(", ")} cannot be read`;
    return { ok: false, failure: { class: "CredentialMissing", detail } };
  }
  const authorization =
    token === undefined ? basicHeader(basicAuth?.username, password) : { authorization: `Bearer ${token}` };
  return { ok: true, headers: authorization, tls: requestTls };
}

function basicHeader(username = "", password: string | undefined): Readonly<Record<string, string>> {
  if (password === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}
