import { areEqualBytes, utf8Bytes } from "../../../api/bytes.ts";
import type { ServiceAccountTokens, TokenIdentity } from "./service-account-tokens.ts";
import type { User } from "./user.ts";

/** Identifies the user of a bearer token that is for one of the audiences; absent: for the API itself. */
export type Authenticate = (token: string, audiences?: readonly string[]) => TokenIdentity | undefined;

/**
 * Identifies fixed tokens, which are for the API only, and the tokens of service accounts. The time of the comparison
 * reveals the length of the fixed tokens, and nothing else.
 */
export function tokenAuthenticator(
  fixed: ReadonlyMap<string, User>,
  accounts: Pick<ServiceAccountTokens, "issuer" | "recognize">,
): Authenticate {
  const known = [...fixed].map(([token, user]) => ({ bytes: utf8Bytes(token), user }));
  return (token, audiences = [accounts.issuer]) => {
    const given = utf8Bytes(token);
    let found: User | undefined;
    for (const { bytes, user } of known) if (areEqualBytes(bytes, given)) found = user;
    if (found === undefined) return accounts.recognize(token, audiences);
    return audiences.includes(accounts.issuer) ? { user: found, audiences: [accounts.issuer] } : undefined;
  };
}
