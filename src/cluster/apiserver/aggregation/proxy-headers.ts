import { latin1Text, utf8Bytes } from "../../../api/bytes.ts";
import type { User } from "../auth/user.ts";
import type { ExtensionHeaders } from "./extension-transport.ts";

/** The names of the headers that carry the user to an extension API server; the ConfigMap that it reads lists them, too. */
export const remoteHeaders = {
  user: "X-Remote-User",
  uid: "X-Remote-Uid",
  group: "X-Remote-Group",
  extraPrefix: "X-Remote-Extra-",
} as const;

/** Headers of one connection, which a proxy does not pass on. */
const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Returns the headers that are passed on: without those of the connection, and without the sender's credentials. */
export function forwardedHeaders(
  received: Readonly<Record<string, readonly string[] | undefined>>,
  user: User,
): ExtensionHeaders {
  const listed = new Set(
    (received["connection"] ?? []).flatMap((text) =>
      text
        .toLowerCase()
        .split(",")
        .map((name) => name.trim()),
    ),
  );
  const passedOn = Object.entries(received).flatMap(([name, values = []]) =>
    isPassedOn(name) && !listed.has(name) ? [[name, values]] : [],
  );
  return { ...(Object.fromEntries(passedOn) as Record<string, readonly string[]>), ...userHeaders(user) };
}

/** Returns the headers of a response that are passed on. */
export function returnedHeaders(headers: ExtensionHeaders): ExtensionHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));
}

function isPassedOn(name: string): boolean {
  return (
    !hopByHop.has(name) &&
    name !== "authorization" &&
    !name.startsWith("impersonate-") &&
    !name.startsWith("x-remote-")
  );
}

/** Returns the headers that name a user. */
export function userHeaders({ name, groups, uid, extra = {} }: User): ExtensionHeaders {
  const extraHeaders = Object.entries(extra).map(
    ([key, values]) => [`${remoteHeaders.extraPrefix}${headerKey(key)}`, values.map(headerText)] as const,
  );
  return {
    [remoteHeaders.user]: headerText(name),
    ...(uid !== undefined && { [remoteHeaders.uid]: headerText(uid) }),
    ...(groups.length > 0 && { [remoteHeaders.group]: groups.map(headerText) }),
    ...Object.fromEntries(extraHeaders),
  };
}

/** Encodes a key of extra attributes, in which a header name cannot have every character. */
function headerKey(key: string): string {
  return [...utf8Bytes(key)]
    .map((byte) => (isNameByte(byte) ? String.fromCharCode(byte) : percent(byte)))
    .join("");
}

const isNameByte = (byte: number) => /[\w!#$&'*+.^`|~-]/.test(String.fromCharCode(byte)) && byte < 128;
const percent = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;

/** Encodes a text as the bytes of a header value, which must not contain line breaks. */
function headerText(text: string): string {
  return latin1Text(utf8Bytes(text.replaceAll(/[\r\n\0]/g, " ")));
}
