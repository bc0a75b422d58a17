import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import type { Authenticate } from "../../auth/authenticate.ts";
import { authenticatedGroup, type User } from "../../auth/user.ts";

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
