import { cidrProblems, type IpAddress, parseIp } from "../../api/ip-address.ts";
import { dns1123SubdomainProblems } from "../../api/names.ts";
import {
  facesOf,
  isLoopback,
  isAddressWithin,
  isWithinAny,
  loopbackNetworks,
  type Network,
  networkOf,
} from "./address-faces.ts";

/** Which addresses may be called. Some are never allowed, whatever the policy says. */
export interface AddressPolicy {
  /** Whether loopback addresses are allowed, besides those that the allow list names. */
  readonly loopback: boolean;
  readonly allowed: AllowList;
}

/** The hosts and networks that the operator allowed. */
export interface AllowList {
  readonly hosts: ReadonlySet<string>;
  readonly networks: readonly Network[];
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

/** Whether a picker with this host may be called at this address: it and all that it leads to have to be allowed. */
export function isAddressAllowed(address: string, host: string, policy: AddressPolicy): boolean {
  const faces = facesOf(address);
  const allows = isLoopback(address) ? allowsLoopback : allowsElsewhere;
  return faces.length > 0 && faces.every((face) => allows(face, host.toLowerCase(), policy));
}

function allowsLoopback(face: IpAddress, host: string, policy: AddressPolicy): boolean {
  return policy.loopback || namesLoopback(face, host, policy.allowed);
}

function allowsElsewhere(face: IpAddress, host: string, { allowed }: AddressPolicy): boolean {
  // A loopback address that is embedded in another address belongs to a router.
  if (isWithinAny(face, neverAllowed) || isWithinAny(face, loopbackNetworks)) return false;
  return allowed.hosts.has(host) || isWithinAny(face, allowed.networks);
}

/** Whether the list names this very loopback address: neither a larger network nor the name of another host does. */
function namesLoopback(face: IpAddress, host: string, { hosts, networks }: AllowList): boolean {
  const named = networks.filter(({ address, length }) =>
    loopbackNetworks.some((all) => length >= all.length && isAddressWithin(address, all)),
  );
  return isWithinAny(face, named) || (host === "localhost" && hosts.has(host));
}

/** Reports whether a host is this machine, so that requests to it do not cross a network. */
export function isThisMachine(host: string): boolean {
  return host === "localhost" || isLoopback(host);
}

/** Reports whether two addresses denote the same host, as far as the addresses themselves show. */
export function isSameAddress(one: string, other: string): boolean {
  const faces = new Set(facesOf(other).map(String));
  return facesOf(one).some((face) => faces.has(String(face)));
}

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
