import { isIP } from "node:net";
import { cidrProblems, type IpAddress, parseIp } from "../api/ip-address.ts";
import { dns1123SubdomainProblems } from "../api/names.ts";

/** Which addresses may be called. Some are never allowed, whatever the policy says. */
export interface AddressPolicy {
  /** Whether loopback addresses are allowed. */
  readonly loopback: boolean;
  readonly allowed: AllowList;
}

/** The hosts and networks that the operator allowed. */
export interface AllowList {
  readonly hosts: ReadonlySet<string>;
  readonly networks: readonly Network[];
}

interface Network {
  readonly address: IpAddress;
  readonly length: number;
}

export const emptyAllowList: AllowList = { hosts: new Set(), networks: [] };

export type ParsedAllowList =
  | { readonly ok: true; readonly allowed: AllowList }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Parses the values of `--picker-allow`: host names, addresses and networks. */
export function parseAllowList(entries: readonly string[]): ParsedAllowList {
  const networks = entries.filter((entry) => parseIp(entry.split("/")[0] ?? "") !== undefined);
  const hosts = entries.filter((entry) => !networks.includes(entry)).map((host) => host.toLowerCase());
  const problems = [
    ...networks.filter((entry) => entry.includes("/") && cidrProblems(entry).length > 0),
    ...hosts.filter((host) => dns1123SubdomainProblems(host).length > 0),
  ];
  if (problems.length > 0)
    return { ok: false, problems: problems.map((entry) => `${entry} is neither a host nor a network`) };
  return { ok: true, allowed: { hosts: new Set(hosts), networks: networks.map(networkOf) } };
}

/** Whether a picker with this host may be called at this address. */
export function isAddressAllowed(address: string, host: string, policy: AddressPolicy): boolean {
  const forms = addressForms(address);
  if (forms.length === 0 || forms.some((form) => isWithinAny(form, neverAllowed))) return false;
  if (forms.some((form) => isWithinAny(form, loopback))) return policy.loopback;
  const { hosts, networks } = policy.allowed;
  return hosts.has(host.toLowerCase()) || forms.some((form) => isWithinAny(form, networks));
}

export function isLoopback(address: string): boolean {
  return addressForms(address).some((form) => isWithinAny(form, loopback));
}

/** Whether two addresses are equal, including IPv4 addresses embedded in IPv6. */
export function isSameAddress(one: string, other: string): boolean {
  const forms = new Set(addressForms(other).map(String));
  return addressForms(one).some((form) => forms.has(String(form)));
}

/** An address and the IPv4 addresses embedded in it: all of them have to be allowed. */
function addressForms(address: string): readonly IpAddress[] {
  // A socket resolves what it does not parse as an address: 010.0.0.1 becomes 8.0.0.1.
  const bytes = isIP(address) === 0 ? undefined : parseIp(address);
  return bytes === undefined ? [] : [bytes, ...embeddedAddresses(bytes)];
}

function networkOf(entry: string): Network {
  const [address = "", length] = entry.split("/");
  const bytes = parseIp(address) ?? [];
  return { address: bytes, length: length === undefined ? bytes.length * 8 : Number(length) };
}

const loopback = ["127.0.0.0/8", "::1/128"].map(networkOf);

const neverAllowed = [
  "0.0.0.0/8", // this network; connecting to 0.0.0.0 often reaches this machine
  "169.254.0.0/16", // link-local; metadata service of most clouds
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
  "100.100.100.200/32", // metadata: Alibaba Cloud
  "192.0.0.192/32", // metadata: Oracle Cloud, classic
  "168.63.129.16/32", // metadata: Azure's wire server
  "::/128",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
  "fd00:ec2::254/128", // metadata: AWS
  "fd20:ce::254/128", // metadata: Google Cloud
].map(networkOf);

/** IPv6 networks whose addresses embed an IPv4 address, and the offset of its first byte. */
const embeddingNetworks = [
  { network: networkOf("::ffff:0:0/96"), at: 12 },
  { network: networkOf("::ffff:0:0:0/96"), at: 12 },
  { network: networkOf("::/96"), at: 12 },
  { network: networkOf("64:ff9b::/96"), at: 12 },
  { network: networkOf("2002::/16"), at: 2 },
];

function embeddedAddresses(bytes: IpAddress): readonly IpAddress[] {
  // ::1 would be read as 0.0.0.1, which is never allowed.
  if (isWithinAny(bytes, loopback)) return [];
  return embeddingNetworks
    .filter(({ network }) => isWithin(bytes, network))
    .map(({ at }) => bytes.slice(at, at + 4));
}

function isWithinAny(bytes: IpAddress, networks: readonly Network[]): boolean {
  return networks.some((network) => isWithin(bytes, network));
}

function isWithin(bytes: IpAddress, { address, length }: Network): boolean {
  if (bytes.length !== address.length) return false;
  return bytes.every((byte, index) => {
    const shared = Math.min(8, Math.max(0, length - index * 8));
    const mask = 0xff & (0xff << (8 - shared));
    return (byte & mask) === ((address[index] ?? 0) & mask);
  });
}
