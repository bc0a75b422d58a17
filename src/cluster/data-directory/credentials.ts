import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { messageOf } from "../../api/message-of.ts";
import type { Instant } from "../../api/time.ts";
import {
  type CertificateAuthority,
  createCertificateAuthority,
} from "../../machinery/certificates/certificate.ts";
import type { Random } from "../../machinery/random/random.ts";
import { newSecret } from "../../machinery/random/system-random.ts";
import { replaceFile } from "../replace-file.ts";

/**
 * The certificate authority and the administrator's token. They are kept so that a kubeconfig stays valid after a
 * restart.
 */
export interface Credentials {
  readonly authority: CertificateAuthority;
  /** The administrator's bearer token. */
  readonly token: string;
}

const names = { certificate: "ca.crt", key: "ca.key", token: "token" };

/** Reads the credentials in a folder that only its owner can enter; creates them where there are none. */
export function keepCredentials(folder: string, now: Instant, random: Random): Credentials {
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  const at = (name: string) => path.join(folder, name);
  const kept = readCredentials(at);
  if (kept !== undefined) return kept;
  const authority = createCertificateAuthority(now, random);
  const token = newSecret();
  replaceFile(at(names.key), authority.key);
  replaceFile(at(names.certificate), authority.certificate);
  replaceFile(at(names.token), `${token}\n`); // written last: its presence means that the credentials are complete
  return { authority, token };
}

function readCredentials(at: (name: string) => string): Credentials | undefined {
  if (!existsSync(at(names.token))) return undefined;
  try {
    const certificate = readFileSync(at(names.certificate), "utf8");
    const key = readFileSync(at(names.key), "utf8");
    const privateKey = createPrivateKey(key);
    if (!new X509Certificate(certificate).checkPrivateKey(privateKey))
      throw new Error(`${names.key} is not the key of ${names.certificate}`);
    const token = readFileSync(at(names.token), "utf8").trim();
    if (token === "") throw new Error(`${names.token} is empty`);
    return { authority: { certificate, key, privateKey }, token };
  } catch (error) {
    throw new Error(`its credentials are damaged (${messageOf(error)})`, { cause: error });
  }
}
