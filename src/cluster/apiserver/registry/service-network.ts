/** The network of cluster IPs. No traffic goes through it. */
export interface ServiceNetwork {
  /** In CIDR notation. */
  readonly range: string;
  /** How many cluster IPs there are, without the network and the broadcast address. */
  readonly addressCount: number;
  /** The cluster IP of the API server's own Service. */
  readonly firstAddress: string;
  /** Returns the address with a number from 0 to `addressCount - 1`. */
  readonly addressAt: (number: number) => string;
  /** Reports whether a text is a cluster IP of this network. */
  readonly includes: (text: string) => boolean;
}

/** kube-apiserver allocates at most this many bits of an address. */
const mostBits = 20;
const fewestBits = 2;

/** Returns the network of an IPv4 range; `undefined` for a text that is none, or that has too few addresses. */
export function serviceNetworkOf(range: string): ServiceNetwork | undefined {
  const [, address = "", length = ""] = /^([\d.]+)\/(\d{1,2})$/.exec(range) ?? [];
  const given = numberOf(address);
  const bits = 32 - Number(length);
  if (given === undefined || bits < fewestBits || bits > 32) return undefined;
  const size = 2 ** bits;
  const base = given - (given % size);
  const addressCount = 2 ** Math.min(bits, mostBits) - 2;
  const addressAt = (number: number) => textOf(base + number + 1);
  return {
    range: `${textOf(base)}/${length}`,
    addressCount,
    firstAddress: addressAt(0),
    addressAt,
    includes(text) {
      const number = (numberOf(text) ?? -1) - base - 1;
      return number >= 0 && number < addressCount;
    },
  };
}

/** Returns an IPv4 address as a number; `undefined` for another text. */
function numberOf(text: string): number | undefined {
  const parts = text.split(".");
  const isAddress = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part));
  const bytes = parts.map(Number);
  if (!isAddress || bytes.some((byte) => byte > 255)) return undefined;
  return bytes.reduce((number, byte) => number * 256 + byte, 0);
}

function textOf(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join(".");
}

/** Throws for a range that `serviceNetworkOf` refuses. */
function knownNetwork(range: string): ServiceNetwork {
  const network = serviceNetworkOf(range);
  if (network === undefined) throw new Error(`${range} is not a range of cluster IPs`);
  return network;
}

/** The network unless another is chosen: in a range that is routed nowhere. */
export const defaultServiceNetwork: ServiceNetwork = knownNetwork("240.96.0.0/16");
