import { createHash, generateKeyPairSync, type KeyObject, sign, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { formatTime, type Instant } from "../../api/time.ts";
import { type Random, randomInt } from "../random/random.ts";
import {
  bits,
  boolean,
  explicit,
  implicit,
  derInteger,
  octets,
  oid,
  sequence,
  set,
  derTime,
  derUtf8Text,
} from "./der.ts";

/** A certificate and its key, as PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate authority: it signs certificates. */
export interface CertificateAuthority extends KeyPair {
  readonly privateKey: KeyObject;
}

/** The subject of a certificate. */
export interface Subject {
  /** The user name of a client; the names of a server are in `hosts`. */
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

/** What a certificate contains. */
export interface CertificateOptions {
  readonly subject: Subject;
  readonly use: "server" | "client";
  /** Names and addresses of a server. */
  readonly hosts?: readonly string[];
  readonly now: Instant;
  readonly random: Random;
}

const dayMs = 86_400_000;
/** Clocks of clients may be behind. */
const backdatedMs = 3_600_000;

const ecdsaWithSha256 = sequence(oid("1.2.840.10045.4.3.2"));
const uses = { server: "1.3.6.1.5.5.7.3.1", client: "1.3.6.1.5.5.7.3.2" };
const keyUsage = { digitalSignature: bits(Buffer.from([0x80]), 7), certSign: bits(Buffer.from([0xa6]), 1) };

/** Creates an authority with a new key. */
export function createCertificateAuthority(
  now: Instant,
  random: Random,
  commonName = "trimtab-ca",
): CertificateAuthority {
  const { publicKey, privateKey } = newKeys();
  const subject = { commonName };
  const certificate = signed({
    subject,
    issuer: subject,
    publicKey,
    signer: privateKey,
    lifeMs: 3650 * dayMs,
    extensions: [
      extension("2.5.29.19", sequence(boolean(true)), true),
      extension("2.5.29.15", keyUsage.certSign, true),
      extension("2.5.29.14", octets(keyId(publicKey))),
    ],
    now,
    random,
  });
  return { certificate, key: pemOf(privateKey), privateKey };
}

/** Issues a certificate for a server or a client, with a key of its own; valid for a year. */
export function issueCertificate(authority: CertificateAuthority, options: CertificateOptions): KeyPair {
  const { subject, use, hosts = [], now, random } = options;
  const { publicKey, privateKey } = newKeys();
  const issuer = new X509Certificate(authority.certificate);
  const certificate = signed({
    subject,
    issuer: { commonName: commonNameOf(issuer) },
    publicKey,
    signer: authority.privateKey,
    lifeMs: 364 * dayMs,
    extensions: [
      extension("2.5.29.19", sequence(), true),
      extension("2.5.29.15", keyUsage.digitalSignature, true),
      extension("2.5.29.37", sequence(oid(uses[use]))),
      extension("2.5.29.35", sequence(implicit(0, keyId(issuer.publicKey)))),
      ...(hosts.length === 0 ? [] : [extension("2.5.29.17", sequence(...hosts.map(alternativeName)))]),
    ],
    now,
    random,
  });
  return { certificate, key: pemOf(privateKey) };
}

interface Contents {
  readonly subject: Subject;
  readonly issuer: Subject;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly lifeMs: number;
  readonly extensions: readonly Buffer[];
  readonly now: Instant;
  readonly random: Random;
}

function signed(contents: Contents): string {
  const { subject, issuer, publicKey, signer, lifeMs, extensions, now, random } = contents;
  const serial = Buffer.from(Array.from({ length: 16 }, () => randomInt(random, 256)));
  const body = sequence(
    explicit(0, derInteger(Buffer.from([2]))), // X.509 v3
    derInteger(serial),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(derTime(formatTime(now - backdatedMs)), derTime(formatTime(now + lifeMs))),
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    explicit(3, sequence(...extensions)),
  );
  const certificate = sequence(body, ecdsaWithSha256, bits(sign("sha256", body, signer)));
  return new X509Certificate(certificate).toString();
}

function newKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

function keyId(key: KeyObject): Buffer {
  return createHash("sha1")
    .update(key.export({ type: "spki", format: "der" }))
    .digest();
}

function commonNameOf({ subject }: X509Certificate): string {
  return /^CN=(.*)$/m.exec(subject)?.[1] ?? "";
}

function nameOf({ commonName, organizations = [] }: Subject): Buffer {
  const attribute = (type: string, text: string) => set(sequence(oid(type), derUtf8Text(text)));
  return sequence(
    ...organizations.map((each) => attribute("2.5.4.10", each)),
    attribute("2.5.4.3", commonName),
  );
}

function extension(type: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(type), ...(critical ? [boolean(true)] : []), octets(value));
}

function alternativeName(host: string): Buffer {
  return isIP(host) === 0 ? implicit(2, Buffer.from(host)) : implicit(7, addressBytes(host));
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split(".").map(Number));
  const [head = "", tail = ""] = address.split("::");
  const groups = (text: string) =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const [before, after] = [groups(head), groups(tail)];
  const middle = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return Buffer.from([...before, ...middle, ...after].flatMap((group) => [group >> 8, group & 255]));
}
