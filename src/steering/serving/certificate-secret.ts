import { createPrivateKey, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { messageOf } from "../../api/message-of.ts";
import type { Secret } from "../../api/generated/core-v1.ts";
import { secrets } from "../../api/resources.ts";
import { type Instant, parseTime } from "../../api/time.ts";
import {
  type CertificateAuthority,
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
} from "../../machinery/certificates/certificate.ts";
import { isAlreadyExists, isConflict, ifFound } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { Random } from "../../machinery/random/random.ts";

/** A serving certificate, and what the API server has to trust. */
export interface ServingIdentity extends KeyPair {
  /** Certificates as PEM; the newest authority first. Absent: the operator has it. */
  readonly trusted?: string;
}

export interface CertificateSecretOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly secret: { readonly namespace: string; readonly name: string };
  /** The names by which the API server calls. */
  readonly hosts: readonly string[];
}

const dayMs = 86_400_000;
const renewAheadMs = 60 * dayMs;
const rereadMs = 60_000;
const attempts = 5;

/** A certificate and its authority in a Secret that all copies share; the copy that finds it near its end renews it. */
export class CertificateSecret {
  readonly #options: CertificateSecretOptions;
  #identity: ServingIdentity | undefined;

  constructor(options: CertificateSecretOptions) {
    this.#options = options;
  }

  /** The identity of now, once it has been loaded. */
  get identity(): ServingIdentity {
    if (this.#identity === undefined) throw new Error("the certificate has not been loaded");
    return this.#identity;
  }

  /** Reads the Secret; makes or renews it where that is due. */
  async load(signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#take(await this.#find(signal));
        return;
      } catch (error) {
        // Another copy was first.
        if (attempt === attempts || !(isConflict(error) || isAlreadyExists(error))) throw error;
      }
    }
  }

  async #find(signal: AbortSignal): Promise<ServingIdentity | undefined> {
    const stored = await this.#read(signal);
    const known = stored && identityIn(stored);
    return known !== undefined && this.#isGood(known) ? known : identityIn(await this.#renew(stored, signal));
  }

  /** The same object while nothing has changed: so a change can be noticed. */
  #take(found: ServingIdentity | undefined): void {
    if (found === undefined) throw new Error("the Secret holds no certificate");
    const { certificate, trusted } = this.#identity ?? {};
    if (found.certificate !== certificate || found.trusted !== trusted) this.#identity = found;
  }

  /** Loads it again now and then, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    while (!signal.aborted) {
      await clock.sleep(rereadMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      await this.load(signal).catch((error: unknown) =>
        log.warn("the certificate could not be read", { error: messageOf(error) }),
      );
    }
  }

  #read(signal: AbortSignal): Promise<Secret | undefined> {
    const { client, secret } = this.#options;
    return ifFound(client.get(secrets, secret, signal));
  }

  #isGood({ certificate }: ServingIdentity): boolean {
    const { clock, hosts } = this.#options;
    const parsed = new X509Certificate(certificate);
    const isNamed = hosts.every(
      (host) => (isIP(host) === 0 ? parsed.checkHost(host) : parsed.checkIP(host)) !== undefined,
    );
    return isNamed && hasBegun(parsed, clock.now()) && endOf(parsed) - clock.now() > renewAheadMs;
  }

  async #renew(stored: Secret | undefined, signal: AbortSignal): Promise<Secret> {
    const { client, clock, random, hosts, secret, log } = this.#options;
    const now = clock.now();
    const own = random.fork(`certificate ${now}`);
    const before = stored && authorityIn(stored, now);
    const authority = before ?? createCertificateAuthority(now, own.fork("authority"));
    const { certificate, key } = issueCertificate(authority, {
      subject: { commonName: hosts[0] ?? "trimtab-steer" },
      use: "server",
      hosts,
      now,
      random: own,
    });
    // Copies show the certificate of the authority before until they have read this one.
    const earlier = before === undefined && stored !== undefined ? textIn(stored, "ca.crt") : undefined;
    const trusted = [authority.certificate, ...(earlier === undefined ? [] : [earlier])].join("");
    const data = encoded({
      "tls.crt": certificate,
      "tls.key": key,
      "ca.crt": before === undefined ? trusted : (textIn(stored, "ca.crt") ?? trusted),
      "ca.key": authority.key,
    });
    log.info("the serving certificate is renewed", { ...secret });
    return stored === undefined
      ? client.create(secrets, { metadata: secret, type: "Opaque", data }, { signal })
      : client.update(secrets, { ...stored, data }, { signal });
  }
}

function identityIn(secret: Secret): ServingIdentity | undefined {
  const [certificate, key, trusted] = ["tls.crt", "tls.key", "ca.crt"].map((name) => textIn(secret, name));
  if (certificate === undefined || key === undefined || trusted === undefined) return undefined;
  try {
    createPrivateKey(key);
    new X509Certificate(certificate).toString();
  } catch {
    return undefined; // whatever was written there is replaced
  }
  return { certificate, key, trusted };
}

/** The authority in a Secret, unless it ends soon or cannot be used. */
function authorityIn(secret: Secret, now: Instant): CertificateAuthority | undefined {
  const [certificate, key] = ["ca.crt", "ca.key"].map((name) => textIn(secret, name));
  if (certificate === undefined || key === undefined) return undefined;
  try {
    const parsed = new X509Certificate(certificate); // the first of them
    const privateKey = createPrivateKey(key);
    const lasts = hasBegun(parsed, now) && endOf(parsed) - now >= 400 * dayMs;
    if (!lasts || !parsed.checkPrivateKey(privateKey)) return undefined;
    return { certificate: parsed.toString(), key, privateKey };
  } catch {
    return undefined;
  }
}

function textIn(secret: Secret | undefined, name: string): string | undefined {
  const text = secret?.data?.[name];
  return text === undefined ? undefined : Buffer.from(text, "base64").toString("utf8");
}

function encoded(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString("base64")]),
  );
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Whether a certificate is valid yet: a copy whose clock was ahead makes one that is not. */
function hasBegun({ validFrom }: X509Certificate, now: Instant): boolean {
  return instantOf(validFrom) <= now;
}

/** When a serving certificate, as PEM, ends. */
export function certificateEnd(certificate: string): Instant {
  return endOf(new X509Certificate(certificate));
}

function endOf({ validTo }: X509Certificate): Instant {
  return instantOf(validTo);
}

/** An instant as OpenSSL writes it: `Nov  5 09:01:00 2027 GMT`. */
function instantOf(text: string): Instant {
  const [, month = "", day = "", time = "", year = ""] =
    /^(\w{3}) +(\d{1,2}) (\d\d:\d\d:\d\d) (\d{4}) GMT$/.exec(text) ?? [];
  const number = String(months.indexOf(month) + 1).padStart(2, "0");
  return parseTime(`${year}-${number}-${day.padStart(2, "0")}T${time}Z`) ?? 0;
}
