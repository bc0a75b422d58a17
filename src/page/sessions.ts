import { digestOf } from "./one-time-links.ts";

/** How many requests, and how many watches among them, one browser may have open. */
export const sessionLimits = { requests: 16, watches: 6 };
/** Keeps at most this many sessions; a new one ends the session that was used least recently. */
const mostSessions = 32;

/** A browser that has opened the page through a link. */
export interface Session {
  /** What it has open at the moment. */
  readonly open: { requests: number; watches: number };
  /** Aborts when the session is over. */
  readonly ended: AbortSignal;
}

interface KnownSession extends Session {
  readonly end: AbortController;
}

/** The browsers that may use the page, each known by its cookie. */
export class Sessions {
  readonly #newSecret: () => string;
  readonly #byDigest = new Map<string, KnownSession>();

  constructor(newSecret: () => string) {
    this.#newSecret = newSecret;
  }

  /** Begins a session; returns the secret for its cookie. */
  begin(): string {
    const secret = this.#newSecret();
    const end = new AbortController();
    this.#byDigest.set(digestOf(secret), { open: { requests: 0, watches: 0 }, ended: end.signal, end });
    for (const [digest, { end: ending }] of [...this.#byDigest].slice(0, -mostSessions)) {
      this.#byDigest.delete(digest);
      ending.abort(new Error("another browser has opened the page"));
    }
    return secret;
  }

  /** The session of a cookie. */
  find(secret: string | undefined): Session | undefined {
    if (secret === undefined) return undefined;
    const digest = digestOf(secret);
    const session = this.#byDigest.get(digest);
    if (session === undefined) return undefined;
    // The last one used is the last one to be forgotten.
    this.#byDigest.delete(digest);
    this.#byDigest.set(digest, session);
    return session;
  }
}

/** The name of the cookie: browsers keep one jar for all ports of a host. */
export const cookieName = (port: number): string => `trimtab-page-${port}`;

/** The `Set-Cookie` of a session, which lasts as long as the browser. */
export function setCookie(port: number, secret: string): string {
  return `${cookieName(port)}=${secret}; HttpOnly; SameSite=Strict; Path=/`;
}

/** The secret in a `Cookie` header; `undefined` where the cookie is missing or there are two of that name. */
export function cookieOf(header: string | undefined, port: number): string | undefined {
  const prefix = `${cookieName(port)}=`;
  const found = (header ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix));
  return found.length === 1 ? found[0]?.slice(prefix.length) : undefined;
}
