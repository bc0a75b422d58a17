import { createHash } from "node:crypto";
import type { Instant } from "../api/time.ts";
import type { Clock } from "../machinery/clock/clock.ts";

/** How long a link can be opened. */
export const linkLifetimeMs = 60 * 60_000;
/** Keeps at most this many links; a new one replaces the oldest. */
const mostLinks = 16;

/** Secrets that open the page once, each within an hour. */
export class OneTimeLinks {
  readonly #clock: Pick<Clock, "now">;
  readonly #newSecret: () => string;
  /** By digest, so that the time a lookup takes says nothing about the secrets. */
  readonly #expiries = new Map<string, Instant>();

  constructor(clock: Pick<Clock, "now">, newSecret: () => string) {
    this.#clock = clock;
    this.#newSecret = newSecret;
  }

  /** Returns a new secret. */
  issue(): string {
    const secret = this.#newSecret();
    this.#expiries.set(digestOf(secret), this.#clock.now() + linkLifetimeMs);
    for (const oldest of [...this.#expiries.keys()].slice(0, -mostLinks)) this.#expiries.delete(oldest);
    return secret;
  }

  /** Reports whether the secret opens the page, and invalidates it. */
  redeem(secret: string): boolean {
    const digest = digestOf(secret);
    const expiry = this.#expiries.get(digest);
    this.#expiries.delete(digest);
    return expiry !== undefined && this.#clock.now() < expiry;
  }
}

/** Returns the digest under which a secret is stored. */
export function digestOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64");
}
