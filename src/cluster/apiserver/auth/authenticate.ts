import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import type { User } from "./user.ts";

/** Finds the user of a bearer token, in constant time. */
export function tokenAuthenticator(tokens: ReadonlyMap<string, User>): (token: string) => User | undefined {
  const known = [...tokens].map(([token, user]) => ({ digest: digestOf(token), user }));
  return (token) => {
    const digest = digestOf(token);
    let found: User | undefined;
    for (const { digest: other, user } of known) if (timingSafeEqual(digest, other)) found = user;
    return found;
  };
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Returns the user of a request, from its bearer token or from a client certificate that the server's authority signed. */
export function authenticate(
  request: IncomingMessage,
  userOf: (token: string) => User | undefined,
): User | undefined {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const [, token] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
    return token === undefined ? undefined : userOf(token);
  }
  return certificateUser(request.socket as TLSSocket);
}

function certificateUser(socket: TLSSocket): User | undefined {
  if (!socket.authorized) return undefined;
  const { subject } = socket.getPeerCertificate();
  const name = one(subject?.CN);
  if (name === undefined) return undefined;
  return { name, groups: [...many(subject.O), "system:authenticated"] };
}

const many = (value: string | string[] | undefined): readonly string[] =>
  value === undefined ? [] : [value].flat();
const one = (value: string | string[] | undefined): string | undefined => many(value)[0];
