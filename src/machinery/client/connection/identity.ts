import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Clock } from "../../clock/clock.ts";
import type { Connection, Credential, TlsSettings } from "./connection.ts";
import { execIdentity } from "./renewed-identity.ts";
import { oidcIdentity } from "./oidc-identity.ts";
import { type ReadTextFile, readTextFile } from "./text-file.ts";

/** Who a request comes from: what goes into its headers and into the TLS handshake of its connection. */
export interface Identity {
  readonly authorization?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/** Where the identity of each request comes from. */
export interface IdentitySource {
  /** Throws the reason of the request's signal, if it has to wait, when that aborts before the identity is known. */
  current(request: { readonly signal: AbortSignal }): Promise<Identity>;
  /** Called when the server refused an identity; returns whether a retry may get another one. */
  refused(identity: Identity): boolean;
  /** Ends programs that have been started. */
  close(): void;
}

export interface IdentityOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly readFile?: ReadTextFile | undefined;
}

/** Returns the identity source of a connection, which reads files, runs plugins and asks issuers again before credentials expire. */
export function connectionIdentity({
  connection,
  clock,
  readFile = readTextFile,
}: IdentityOptions): IdentitySource {
  const { credential, tls } = connection;
  const certificate = certificateSource(tls, { clock, readFile });
  const own = { certificate: tls.certificate, key: tls.key };
  if (credential.type === "exec") return execIdentity({ plugin: credential.plugin, own, clock });
  if (credential.type === "oidc") return oidcIdentity({ provider: credential.provider, own, clock });
  const authorization = authorizationSource(credential, { clock, readFile });
  return {
    current: async () => ({ ...certificate.read(), authorization: authorization.read() }),
    close: () => undefined,
    refused(identity) {
      certificate.expire();
      authorization.expire();
      return (
        certificate.read().certificate !== identity.certificate ||
        authorization.read() !== identity.authorization
      );
    },
  };
}

interface Source<T> {
  read(): T;
  /** Forgets what was read. */
  expire(): void;
}

interface Reading {
  readonly clock: Clock;
  readonly readFile: ReadTextFile;
}

const fixed = <T>(value: T): Source<T> => ({ read: () => value, expire: () => undefined });

// Kubernetes replaces mounted tokens and certificates long before they expire; reading once a minute always finds valid ones.
const refreshMs = 60_000;

/** Reads at most once a minute; keeps the last value when reading fails, since it may still be valid. */
function refreshed<T>(clock: Clock, read: (known: T | undefined) => T): Source<T> {
  let known: { readonly value: T; readonly until: number } | undefined;
  return {
    read() {
      if (known === undefined || clock.now() >= known.until)
        known = { value: read(known?.value), until: clock.now() + refreshMs };
      return known.value;
    },
    expire() {
      if (known !== undefined) known = { ...known, until: 0 };
    },
  };
}

function authorizationSource(
  credential: Exclude<Credential, { readonly type: "exec" | "oidc" }>,
  { clock, readFile }: Reading,
): Source<string | undefined> {
  switch (credential.type) {
    case "none":
      return fixed(undefined);
    case "token":
      return fixed(`Bearer ${credential.token}`);
    case "basic": {
      const pair = `${credential.username}:${credential.password}`;
      return fixed(`Basic ${Buffer.from(pair).toString("base64")}`);
    }
    case "token-file":
      return refreshed<string>(clock, (known) => {
        const file = readFile(credential.path);
        if (file.ok) return `Bearer ${file.text.trim()}`;
        if (known === undefined) throw new Error(`token file ${credential.path}: ${file.reason}`);
        return known;
      });
  }
}

type ClientCertificate = Pick<Identity, "certificate" | "key">;

function certificateSource(
  { certificate, key, files }: TlsSettings,
  { clock, readFile }: Reading,
): Source<ClientCertificate> {
  const given = { certificate, key };
  if (files === undefined) return fixed(given);
  return refreshed<ClientCertificate>(clock, (known = given) => {
    const [first, second] = [readFile(files.certificate), readFile(files.key)];
    return first.ok && second.ok && isPair(first.text, second.text)
      ? { certificate: first.text, key: second.text }
      : known;
  });
}

/** Reports whether a certificate and a key match: two files cannot be replaced atomically, so one may be newer. */
function isPair(certificate: string, key: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false; // half written
  }
}
