import { createHash } from "node:crypto";
import type { Instant } from "../api/time.ts";
import type { Clock } from "../machinery/clock/clock.ts";

/** How long a link can be opened. */
export const linkLifetimeMs = 60 * 60_000;
/** A link that is printed after this many others replaces the oldest one. */
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

  /** Another secret. */
  issue(): string {
    const secret = this.#newSecret();
    this.#expiries.set(digestOf(secret), this.#clock.now() + linkLifetimeMs);
    for (const oldest of [...this.#expiries.keys()].slice(0, -mostLinks)) this.#expiries.delete(oldest);
    return secret;
  }

  /** Whether the secret opens the page; it does not a second time. */
  redeem(secret: string): boolean {
    const digest = digestOf(secret);
    const expiry = this.#expiries.get(digest);
    this.#expiries.delete(digest);
    return expiry !== undefined && this.#clock.now() < expiry;
  }
}

/** What a secret is found by. */
export function digestOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64");
}
