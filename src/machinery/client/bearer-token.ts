import type { Clock } from "../clock/clock.ts";
import type { Credential } from "./connection.ts";
import { type ReadTextFile, readTextFile } from "./text-file.ts";

// Kubernetes replaces mounted tokens long before they expire; reading once a minute always finds a good one.
const refreshMs = 60_000;

export interface BearerTokenOptions {
  readonly credential: Credential;
  readonly clock: Clock;
  readonly readFile?: ReadTextFile | undefined;
}

/** Gives the token to show with a request, `undefined` for none. */
export function bearerToken(options: BearerTokenOptions): () => string | undefined {
  const { credential, clock, readFile = readTextFile } = options;
  if (credential.type === "none") return () => undefined;
  if (credential.type === "token") return () => credential.token;

  let known: { readonly token: string; readonly until: number } | undefined;
  return () => {
    if (known !== undefined && clock.now() < known.until) return known.token;
    const file = readFile(credential.path);
    if (!file.ok && known === undefined) throw new Error(`token file ${credential.path}: ${file.reason}`);
    // A file that cannot be read for a moment does not lock us out while the old token still works.
    known = { token: file.ok ? file.text.trim() : (known?.token ?? ""), until: clock.now() + refreshMs };
    return known.token;
  };
}
