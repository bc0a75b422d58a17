/** An address as its bytes in network order: four of them, or sixteen. */
export type IpAddress = readonly number[];

/** Reads an IPv4 or IPv6 address in any of their spellings, zones excluded; anything else is `undefined`. */
export function parseIp(text: string): IpAddress | undefined {
  return text.includes(":") ? parseIpv6(text) : parseIpv4(text);
}

function parseIpv4(text: string): IpAddress | undefined {
  const parts = text.split(".");
  const bytes = parts.map((part) => (/^[0-9]{1,3}$/.test(part) ? Number(part) : 256));
  return parts.length === 4 && bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function parseIpv6(text: string): IpAddress | undefined {
  if (text.length > 45) return undefined;
  const [head = "", tail, ...rest] = text.split("::");
  // An IPv4 address may only stand at the very end: not in front of a gap.
  const left = groupsOf(head, tail === undefined);
  const right = groupsOf(tail ?? "", true);
  if (rest.length > 0 || left === undefined || right === undefined) return undefined;
  const missing = 16 - left.length - right.length;
  const isWhole = tail === undefined ? missing === 0 : missing >= 2;
  return isWhole ? [...left, ...Array<number>(missing).fill(0), ...right] : undefined;
}

/** The bytes of some groups of an IPv6 address; at its end the last may be an IPv4 address. */
function groupsOf(text: string, isEnd: boolean): IpAddress | undefined {
  if (text === "") return [];
  const groups = text.split(":");
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    const embedded = isEnd && index === groups.length - 1 && group.includes(".");
    const parsed = embedded ? parseIpv4(group) : parseGroup(group);
    if (parsed === undefined) return undefined;
    bytes.push(...parsed);
  }
  return bytes;
}

function parseGroup(group: string): IpAddress | undefined {
  if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return undefined;
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 0xff];
}

/** The problems of the text of an IP address, as Kubernetes reports them. */
export function ipProblems(text: string): readonly string[] {
  const bytes = parseIp(text);
  if (bytes === undefined) return ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"];
  if (bytes.length === 4) return /(^|\.)0[0-9]/.test(text) ? ["must not have leading 0s"] : [];
  const isMapped = bytes.slice(0, 12).every((byte, index) => byte === (index < 10 ? 0 : 0xff));
  return isMapped ? ["must not be an IPv4-mapped IPv6 address"] : [];
}

/** An IPv6 address as RFC 5952 writes it; undefined for any other text. */
export function canonicalIpv6(text: string): string | undefined {
  const bytes = parseIp(text);
  if (bytes?.length !== 16) return undefined;
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16),
  );
  const { start, length } = longestZeros(groups);
  if (length < 2) return groups.join(":");
  return `${groups.slice(0, start).join(":")}::${groups.slice(start + length).join(":")}`;
}

/** The first of the longest runs of zeros. */
function longestZeros(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let longest = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    const end = groups.findIndex((group, index) => index >= start && group !== "0");
    const length = (end === -1 ? groups.length : end) - start;
    if (length > longest.length) longest = { start, length };
  }
  return longest;
}

/** The problems of the text of a CIDR, as Kubernetes reports them. */
export function cidrProblems(text: string): readonly string[] {
  const [address = "", length = "", ...rest] = text.split("/");
  const bytes = parseIp(address);
  const isLength = /^(0|[1-9][0-9]{0,2})$/.test(length);
  if (bytes === undefined || rest.length > 0 || !isLength || Number(length) > bytes.length * 8)
    return ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"];
  const strays = bytes.some((byte, index) => (byte & hostMask(Number(length) - index * 8)) !== 0);
  return strays ? ["must not have bits set beyond the prefix length"] : [];
}

/** Whether one valid CIDR is part of another and not the whole of it. */
export function isStrictSubset(cidr: string, of: string): boolean {
  const [inner, outer] = [cidrOf(cidr), cidrOf(of)];
  if (inner === undefined || outer === undefined || inner.bytes.length !== outer.bytes.length) return false;
  const differs = ({ bytes, length }: typeof outer) =>
    bytes.some((byte, index) => {
      const networkMask = ~hostMask(length - index * 8) & 0xff;
      return ((byte ^ (inner.bytes[index] ?? 0)) & networkMask) !== 0;
    });
  return inner.length > outer.length && !differs(outer);
}

function cidrOf(text: string): { readonly bytes: IpAddress; readonly length: number } | undefined {
  const [address = "", length = ""] = text.split("/");
  const bytes = parseIp(address);
  return bytes === undefined ? undefined : { bytes, length: Number(length) };
}

/** Returns the host bits of a byte, given how many bits of the prefix remain at that byte. */
function hostMask(prefixLeft: number): number {
  return 0xff >> Math.min(8, Math.max(0, prefixLeft));
}

/** The problems of an address that endpoints cannot have, as Kubernetes reports them. */
export function unreachableProblems(text: string): readonly string[] {
  const bytes = parseIp(text);
  if (bytes === undefined) return ["must be a valid IP address"];
  return unreachable.filter(({ holds }) => holds(bytes)).map(({ problem }) => problem(text));
}

const startsWith = (bytes: IpAddress, ...prefix: number[]): boolean =>
  prefix.every((byte, index) => bytes[index] === byte);
const isFour = (bytes: IpAddress): boolean => bytes.length === 4;

const unreachable: readonly {
  readonly holds: (bytes: IpAddress) => boolean;
  readonly problem: (text: string) => string;
}[] = [
  {
    holds: (bytes) => bytes.every((byte) => byte === 0),
    problem: (text) => `may not be unspecified (${text})`,
  },
  {
    holds: (bytes) =>
      isFour(bytes) ? bytes[0] === 127 : bytes.every((byte, index) => byte === (index === 15 ? 1 : 0)),
    problem: () => "may not be in the loopback range (127.0.0.0/8, ::1/128)",
  },
  {
    holds: (bytes) =>
      isFour(bytes) ? startsWith(bytes, 169, 254) : bytes[0] === 0xfe && ((bytes[1] ?? 0) & 0xc0) === 0x80,
    problem: () => "may not be in the link-local range (169.254.0.0/16, fe80::/10)",
  },
  {
    holds: (bytes) =>
      isFour(bytes) ? startsWith(bytes, 224, 0, 0) : bytes[0] === 0xff && ((bytes[1] ?? 0) & 0x0f) === 2,
    problem: () => "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
  },
];
