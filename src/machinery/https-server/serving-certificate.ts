import os from "node:os";
import { createSecureContext } from "node:tls";
import { messageOf } from "../../api/message-of.ts";
import { createCertificateAuthority, issueCertificate, type KeyPair } from "../certificates/certificate.ts";
import { type ReadTextFile, readTextFile } from "../client/connection/text-file.ts";
import { type Clock, elapsedMs } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import type { Random } from "../random/random.ts";

/** The files of a certificate and of its private key. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

export type ReadCertificate =
  | { readonly ok: true; readonly pair: KeyPair }
  | { readonly ok: false; readonly problem: string };

/** Reads a server's certificate and key from disk; the problem is one sentence. */
export function readCertificate(files: CertificateFiles, read: ReadTextFile = readTextFile): ReadCertificate {
  const [certificate, key] = [read(files.certificate), read(files.key)];
  if (!certificate.ok) return { ok: false, problem: `${files.certificate}: ${certificate.reason}` };
  if (!key.ok) return { ok: false, problem: `${files.key}: ${key.reason}` };
  try {
    createSecureContext({ cert: certificate.text, key: key.text });
  } catch (error) {
    // How `node:crypto` and `node:tls` refuse them.
    const both = `${files.certificate} and ${files.key}`;
    return { ok: false, problem: `${both} are not a certificate and its key: ${messageOf(error)}` };
  }
  return { ok: true, pair: { certificate: certificate.text, key: key.text } };
}

export interface FollowOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly read?: ReadTextFile;
}

const rereadMs = 60_000;

/** Reads renewed files, at most once a minute: returns the new pair, or `undefined` while the files are as before. */
export function followCertificate(
  files: CertificateFiles,
  first: KeyPair,
  { clock, log, read }: FollowOptions,
): () => KeyPair | undefined {
  let [known, readAt] = [first, elapsedMs(clock)];
  return () => {
    if (elapsedMs(clock) - readAt < rereadMs) return undefined;
    readAt = elapsedMs(clock);
    const found = readCertificate(files, read);
    if (!found.ok) {
      // The renewal may be half written; the next read sees all of it.
      log.warn("certificate not renewed", { reason: found.problem });
      return undefined;
    }
    const { certificate, key } = found.pair;
    if (certificate === known.certificate && key === known.key) return undefined;
    known = found.pair;
    log.info("certificate renewed", { file: files.certificate });
    return known;
  };
}

/** Issues a certificate for every name and address of this machine, signed by an authority that is discarded. */
export function ownCertificate({
  clock,
  random,
}: {
  readonly clock: Clock;
  readonly random: Random;
}): KeyPair {
  const now = clock.now();
  return issueCertificate(createCertificateAuthority(now, random), {
    subject: { commonName: os.hostname() },
    use: "server",
    hosts: [...new Set(["localhost", os.hostname(), ...addresses()])],
    now,
    random,
  });
}

function addresses(): readonly string[] {
  const all = Object.values(os.networkInterfaces()).flatMap((addressesOfOne) => addressesOfOne ?? []);
  // Link-local addresses need a zone, which a certificate cannot have.
  return all.filter(({ scopeid = 0 }) => scopeid === 0).map(({ address }) => address);
}
