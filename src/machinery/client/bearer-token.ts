import type { Clock } from "../clock/clock.ts";
import type { Credential } from "./connection.ts";
import { type ReadTextFile, readTextFile } from "./text-file.ts";

// Kubernetes replaces mounted tokens long before they expire; reading once a minute always finds a valid one.
const refreshMs = 60_000;

export interface BearerTokenOptions {
  readonly credential: Credential;
  readonly clock: Clock;
  readonly readFile?: ReadTextFile | undefined;
}

/** Returns the token to send with a request; `undefined` for none. */
export function bearerToken(options: BearerTokenOptions): () => string | undefined {
  const { credential, clock, readFile = readTextFile } = options;
  if (credential.type === "none") return () => undefined;
  if (credential.type === "token") return () => credential.token;

  let known: { readonly token: string; readonly until: number } | undefined;
  return () => {
    if (known !== undefined && clock.now() < known.until) return known.token;
    const file = readFile(credential.path);
    if (!file.ok && known === undefined) throw new Error(`token file ${credential.path}: ${file.reason}`);
    // While the file cannot be read, the previous token may still be valid.
    known = { token: file.ok ? file.text.trim() : (known?.token ?? ""), until: clock.now() + refreshMs };
    return known.token;
  };
}
