import { canonicalIpv6, type IpAddress, ipProblems, parseIp } from "../../../../api/ip-address.ts";
import { type CostRule, perCharacter, reading } from "../cost/cost-rule.ts";
import { exactly, plus, scaled, unknownSize } from "../cost/cost-range.ts";
import { bool, int, opaque, string } from "../types/cel-type.ts";
import { CelError, type CelValue, type Opaque } from "../values/cel-value.ts";
import { sizeOf } from "../values/value-size.ts";
import { type CelFunction, form, instanceOf, method, type Overload, text } from "./overload.ts";

const ipType = opaque("net.IP");
const cidrType = opaque("net.CIDR");

class IpValue implements Opaque {
  readonly kind = "opaque";
  readonly typeName = "net.IP";
  readonly bytes: IpAddress;

  constructor(bytes: IpAddress) {
    this.bytes = bytes;
  }

  get size(): number {
    return this.bytes.length;
  }

  equals(other: Opaque): boolean {
    return other instanceof IpValue && addressText(this.bytes) === addressText(other.bytes);
  }
}

/** A network: an address, and how many of its first bits count. */
class CidrValue implements Opaque {
  readonly kind = "opaque";
  readonly typeName = "net.CIDR";
  readonly bytes: IpAddress;
  readonly length: number;

  constructor(bytes: IpAddress, length: number) {
    this.bytes = bytes;
    this.length = length;
  }

  get size(): number {
    return Math.ceil(this.length / 8);
  }

  equals(other: Opaque): boolean {
    return other instanceof CidrValue && cidrText(this) === cidrText(other);
  }
}

const ip = instanceOf(ipType, IpValue);
const cidr = instanceOf(cidrType, CidrValue);
const read = reading(0);

function addressText(bytes: IpAddress): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16),
  );
  return canonicalIpv6(groups.join(":")) ?? groups.join(":");
}

function cidrText({ bytes, length }: CidrValue): string {
  return `${addressText(bytes)}/${length}`;
}

/** Reads an address; zones, leading zeros and IPv4 addresses in the form of IPv6 are refused. */
function ipIn(value: string): IpValue | CelError {
  const bytes = parseIp(value);
  if (bytes === undefined)
    return new CelError(
      `IP Address ${JSON.stringify(value)} parse error during conversion from string: ParseAddr(${JSON.stringify(value)}): unable to parse IP`,
    );
  const [found] = ipProblems(value);
  if (found === undefined) return new IpValue(bytes);
  return bytes.length === 16
    ? new CelError(`IPv4-mapped IPv6 address ${JSON.stringify(value)} is not allowed`)
    : new CelError(
        `IP Address ${JSON.stringify(value)} parse error during conversion from string: ParseAddr(${JSON.stringify(value)}): IPv4 field has octet with leading zero`,
      );
}

function cidrIn(value: string): CidrValue | CelError {
  const [address = "", length = "", ...rest] = value.split("/");
  const bytes = ipIn(address);
  const isLength = /^(0|[1-9][0-9]{0,2})$/.test(length) && rest.length === 0;
  if (bytes instanceof CelError || !isLength || Number(length) > bytes.bytes.length * 8)
    return new CelError(
      `network address parse error during conversion from string: netip.ParsePrefix(${JSON.stringify(value)}): no '/'`,
    );
  return new CidrValue(bytes.bytes, Number(length));
}

/** Sets all bits behind a length to zero. */
function masked(bytes: IpAddress, length: number): IpAddress {
  return bytes.map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, length - index * 8))) & 0xff);
}

function contains(network: CidrValue, address: IpAddress): boolean {
  if (network.bytes.length !== address.length) return false;
  return addressText(masked(address, network.length)) === addressText(masked(network.bytes, network.length));
}

function containsNetwork(network: CidrValue, other: CidrValue): boolean {
  return other.length >= network.length && contains(network, other.bytes);
}

/** The cost of comparing a network: its bytes twice, once more if they are masked, and the text of the other side. */
function comparing(options: { readsText: boolean; masks: boolean }): CostRule {
  const { readsText, masks } = options;
  return {
    estimate: ([, other]) => {
      const parts = [scaled({ min: 8, max: 32 }, perCharacter)];
      if (masks) parts.push(plus(scaled({ min: 4, max: 16 }, perCharacter), exactly(1)));
      if (readsText) parts.push(scaled(other?.size ?? unknownSize, perCharacter));
      return { cost: parts.reduce(plus) };
    },
    actual: ([network = null, other = null]) => {
      const own = Math.ceil(2 * sizeOf(network) * perCharacter);
      const mask = masks ? Math.ceil(sizeOf(network) * perCharacter) + 1 : 0;
      return own + mask + (readsText ? Math.ceil(sizeOf(other) * perCharacter) : 0);
    },
  };
}

const isAll = (bytes: IpAddress, value: number) => bytes.every((byte) => byte === value);
const isFour = (bytes: IpAddress) => bytes.length === 4;
const isLinkLocal = (bytes: IpAddress) =>
  isFour(bytes)
    ? bytes[0] === 169 && bytes[1] === 254
    : bytes[0] === 0xfe && ((bytes[1] ?? 0) & 0xc0) === 0x80;
const isLoopback = (bytes: IpAddress) =>
  isFour(bytes) ? bytes[0] === 127 : bytes.every((byte, index) => byte === (index === 15 ? 1 : 0));
const isMulticast = ([first = 0, ...rest]: IpAddress) =>
  rest.length === 3 ? first >= 224 && first <= 239 : first === 0xff;
const isLinkLocalMulticast = (bytes: IpAddress) =>
  isFour(bytes)
    ? bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0
    : bytes[0] === 0xff && ((bytes[1] ?? 0) & 0x0f) === 2;
const isGlobal = (bytes: IpAddress) =>
  !(isFour(bytes) && isAll(bytes, 255)) &&
  ![isAll(bytes, 0), isLoopback(bytes), isMulticast(bytes), isLinkLocal(bytes)].includes(true);

const questions: Readonly<Record<string, (bytes: IpAddress) => boolean>> = {
  isUnspecified: (bytes) => isAll(bytes, 0),
  isLoopback,
  isLinkLocalMulticast,
  isLinkLocalUnicast: isLinkLocal,
  isGlobalUnicast: isGlobal,
};

const containing = (masks: boolean, name: string): readonly Overload[] => {
  const suffix = masks ? "" : "_ip";
  const inText = comparing({ readsText: true, masks });
  const inValue = comparing({ readsText: false, masks });
  const check = (network: CidrValue, other: CelValue): CelValue => {
    if (other instanceof CelError) return other;
    if (other instanceof CidrValue) return containsNetwork(network, other);
    return other instanceof IpValue && contains(network, other.bytes);
  };
  return [
    method(
      { id: `cidr_contains_${name}_string`, takes: [cidr, text], gives: bool, cost: inText },
      (network, other) => check(network, masks ? cidrIn(other) : ipIn(other)),
    ),
    method(
      { id: `cidr_contains_${name}${suffix}`, takes: [cidr, masks ? cidr : ip], gives: bool, cost: inValue },
      check,
    ),
  ];
};

/** The libraries of addresses and networks. */
export const networkFunctions: readonly CelFunction[] = [
  {
    name: "ip",
    overloads: [
      form({ id: "string_to_ip", takes: [text], gives: ipType, cost: read }, ipIn),
      method({ id: "cidr_ip", takes: [cidr], gives: ipType }, ({ bytes }) => new IpValue(bytes)),
    ],
  },
  {
    name: "family",
    overloads: [
      method({ id: "ip_family", takes: [ip], gives: int }, ({ bytes }) => (isFour(bytes) ? 4n : 6n)),
    ],
  },
  {
    name: "ip.isCanonical",
    overloads: [
      form(
        { id: "ip_is_canonical", takes: [text], gives: bool, cost: reading(0, { factor: 2 }) },
        (value) => {
          const found = ipIn(value);
          return found instanceof CelError ? found : addressText(found.bytes) === value;
        },
      ),
    ],
  },
  {
    name: "isIP",
    overloads: [
      form(
        { id: "is_ip", takes: [text], gives: bool, cost: read },
        (value) => ipIn(value) instanceof IpValue,
      ),
    ],
  },
  ...Object.entries(questions).map(([name, holds]) => ({
    name,
    overloads: [method({ id: `ip_${name}`, takes: [ip], gives: bool }, ({ bytes }) => holds(bytes))],
  })),
  {
    name: "cidr",
    overloads: [form({ id: "string_to_cidr", takes: [text], gives: cidrType, cost: read }, cidrIn)],
  },
  {
    name: "isCIDR",
    overloads: [
      form(
        { id: "is_cidr", takes: [text], gives: bool, cost: read },
        (value) => cidrIn(value) instanceof CidrValue,
      ),
    ],
  },
  { name: "containsIP", overloads: containing(false, "ip") },
  { name: "containsCIDR", overloads: containing(true, "cidr") },
  {
    name: "prefixLength",
    overloads: [
      method({ id: "cidr_prefix_length", takes: [cidr], gives: int }, ({ length }) => BigInt(length)),
    ],
  },
  {
    name: "masked",
    overloads: [
      method(
        { id: "cidr_masked", takes: [cidr], gives: cidrType },
        ({ bytes, length }) => new CidrValue(masked(bytes, length), length),
      ),
    ],
  },
  {
    name: "string",
    overloads: [
      form({ id: "ip_to_string", takes: [ip], gives: string }, ({ bytes }) => addressText(bytes)),
      form({ id: "cidr_to_string", takes: [cidr], gives: string }, cidrText),
    ],
  },
];
