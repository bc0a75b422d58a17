import { type IpAddress, parseIp } from "../../api/ip-address.ts";

export interface Network {
  readonly address: IpAddress;
  readonly length: number;
}

/** A network as `10.0.0.0/8`, or a single address. */
export function networkOf(entry: string): Network {
  const [address = "", length] = entry.split("/");
  const bytes = parseIp(address) ?? [];
  return { address: bytes, length: length === undefined ? bytes.length * 8 : Number(length) };
}

const hasLeadingZero = /(^|[.:])0[0-9]+\.|\.0[0-9]/;

/** Accepts only what sockets parse as an address; they would resolve 010.0.0.1 to 8.0.0.1. */
function bytesOf(address: string): IpAddress | undefined {
  return hasLeadingZero.test(address) ? undefined : parseIp(address);
}

/**
 * The addresses that a packet to this address may end at: IPv6 has ways to write an IPv4 address, and routers that carry
 * packets there. Whatever is decided about an address has to hold for each of its faces. None: it is not an address.
 */
export function facesOf(address: string): readonly IpAddress[] {
  const bytes = bytesOf(address);
  if (bytes === undefined) return [];
  // ::1 would be read as 0.0.0.1.
  if (bytes.length === 4 || isWithinAny(bytes, loopbackNetworks)) return [bytes];
  const embedded = embeddings
    .filter(({ network }) => isAddressWithin(bytes, network))
    .flatMap(({ faces }) => faces.map((read) => read(bytes)));
  const tunnelled = isIsatap(bytes) ? [bytes.slice(12)] : [];
  return [...(embedded.length > 0 ? embedded : [bytes]), ...tunnelled];
}

/** Whether an address is of this machine: ::ffff:127.0.0.1 is, while 64:ff9b::127.0.0.1 is the loopback of a router. */
export function isLoopback(address: string): boolean {
  const bytes = bytesOf(address);
  if (bytes === undefined) return false;
  return isWithinAny(isAddressWithin(bytes, ipv4Mapped) ? last(bytes) : bytes, loopbackNetworks);
}

export const loopbackNetworks = ["127.0.0.0/8", "::1/128"].map(networkOf);

/** Reads an IPv4 address out of an IPv6 address. */
type ReadIpv4 = (bytes: IpAddress) => IpAddress;

function at(...indices: readonly number[]): ReadIpv4 {
  return (bytes) => indices.map((index) => bytes[index] ?? 0);
}

function invertedAt(...indices: readonly number[]): ReadIpv4 {
  return (bytes) => indices.map((index) => 0xff ^ (bytes[index] ?? 0));
}

const last = at(12, 13, 14, 15);

const ipv4Mapped = networkOf("::ffff:0:0/96");

/** IPv6 networks whose addresses are those of IPv4 hosts, and where in them. */
const embeddings: readonly { readonly network: Network; readonly faces: readonly ReadIpv4[] }[] = [
  { network: ipv4Mapped, faces: [last] },
  { network: networkOf("::ffff:0:0:0/96"), faces: [last] }, // IPv4-translated
  { network: networkOf("::/96"), faces: [last] }, // IPv4-compatible
  { network: networkOf("64:ff9b::/96"), faces: [last] }, // NAT64
  {
    // NAT64 for local use; its prefix may have 96, 64, 56 or 48 bits.
    network: networkOf("64:ff9b:1::/48"),
    faces: [last, at(9, 10, 11, 12), at(7, 9, 10, 11), at(6, 7, 9, 10)],
  },
  { network: networkOf("2002::/16"), faces: [at(2, 3, 4, 5)] }, // 6to4
  // Teredo: the server, and the client behind its NAT.
  { network: networkOf("2001::/32"), faces: [at(4, 5, 6, 7), invertedAt(12, 13, 14, 15)] },
];

/** Whether the interface identifier is one of ISATAP, which any network may use. */
function isIsatap(bytes: IpAddress): boolean {
  const [first = -1, ...rest] = bytes.slice(8, 12);
  return (first === 0 || first === 2) && String(rest) === String([0, 0x5e, 0xfe]);
}

export function isWithinAny(bytes: IpAddress, networks: readonly Network[]): boolean {
  return networks.some((network) => isAddressWithin(bytes, network));
}

export function isAddressWithin(bytes: IpAddress, { address, length }: Network): boolean {
  if (bytes.length !== address.length) return false;
  return bytes.every((byte, index) => {
    const shared = Math.min(8, Math.max(0, length - index * 8));
    const mask = 0xff & (0xff << (8 - shared));
    return (byte & mask) === ((address[index] ?? 0) & mask);
  });
}
