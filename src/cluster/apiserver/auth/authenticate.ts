import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import type { ServiceAccountTokens, TokenIdentity } from "./service-account-tokens.ts";
import { authenticatedGroup, type User } from "./user.ts";

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
  const known = [...fixed].map(([token, user]) => ({ bytes: Buffer.from(token), user }));
  return (token, audiences = [accounts.issuer]) => {
    const given = Buffer.from(token);
    let found: User | undefined;
    for (const { bytes, user } of known)
      if (bytes.length === given.length && timingSafeEqual(bytes, given)) found = user;
    if (found === undefined) return accounts.recognize(token, audiences);
    return audiences.includes(accounts.issuer) ? { user: found, audiences: [accounts.issuer] } : undefined;
  };
}

/** Returns the user of a request, from its bearer token or from a client certificate that the server's authority signed. */
export function authenticate(request: IncomingMessage, recognize: Authenticate): User | undefined {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const [, token] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
    return token === undefined ? undefined : recognize(token)?.user;
  }
  return certificateUser(request.socket as TLSSocket);
}

function certificateUser(socket: TLSSocket): User | undefined {
  if (!socket.authorized) return undefined;
  const { subject } = socket.getPeerCertificate();
  const name = one(subject?.CN);
  if (name === undefined) return undefined;
  return { name, groups: [...many(subject.O), authenticatedGroup] };
}

const many = (value: string | string[] | undefined): readonly string[] =>
  value === undefined ? [] : [value].flat();
const one = (value: string | string[] | undefined): string | undefined => many(value)[0];
