import { forbidden, invalid, required, tooLong } from "../../../../../api/field-error.ts";
import type { HostAlias, PodDNSConfig, PodSpec } from "../../../../../api/generated/core-v1.ts";
import { ipProblems } from "../../../../../api/ip-address.ts";
import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  type NameProblems,
} from "../../../../../api/names.ts";
import { each, type FieldErrors, none, requiredOneOf, wellFormed } from "../../../../../api/field-checks.ts";
import type { Sent } from "../../../../../api/sent.ts";

const policies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const maxNameservers = 3;
const maxSearches = 32;
const maxSearchCharacters = 2048;

/** Validates the host name and the DNS settings of a Pod. */
export function validateNamesAndDns(spec: Sent<PodSpec>, path: string): FieldErrors {
  return [
    ...requiredOneOf(spec.dnsPolicy, `${path}.dnsPolicy`, policies),
    ...validateDnsConfig(spec, `${path}.dnsConfig`),
    ...validateHostname(spec, `${path}.hostnameOverride`),
    ...wellFormed(spec.hostname, `${path}.hostname`, dns1123LabelProblems),
    ...wellFormed(spec.subdomain, `${path}.subdomain`, dns1123LabelProblems),
    ...each(spec.hostAliases, `${path}.hostAliases`, validateHostAlias),
  ];
}

function validateDnsConfig({ dnsPolicy, dnsConfig }: Sent<PodSpec>, path: string): FieldErrors {
  const nameservers = dnsConfig?.nameservers ?? [];
  if (dnsPolicy === "None" && dnsConfig === undefined)
    return [required(path, "must provide `dnsConfig` when `dnsPolicy` is None")];
  if (dnsPolicy === "None" && nameservers.length === 0)
    return [
      required(`${path}.nameservers`, "must provide at least one DNS nameserver when `dnsPolicy` is None"),
    ];
  return dnsConfig === undefined ? none : validateResolver(dnsConfig, path);
}

function validateResolver(
  { nameservers = [], searches = [], options }: Sent<PodDNSConfig>,
  path: string,
): FieldErrors {
  const at = `${path}.nameservers`;
  const crowded = `must not have more than ${maxNameservers} nameservers`;
  return [
    ...(nameservers.length > maxNameservers ? [invalid(at, nameservers, crowded)] : none),
    ...each(nameservers, at, address),
    ...validateSearches(searches, `${path}.searches`),
    ...each(options, `${path}.options`, ({ name = "" }, item) =>
      name === "" ? [required(item, "must not be empty")] : none,
    ),
  ];
}

function validateSearches(searches: readonly string[], path: string): FieldErrors {
  const many = `must not have more than ${maxSearches} search paths`;
  const long = `must not have more than ${maxSearchCharacters} characters (including spaces) in the search list`;
  return [
    ...(searches.length > maxSearches ? [invalid(path, searches, many)] : none),
    ...(searches.join(" ").length > maxSearchCharacters ? [invalid(path, searches, long)] : none),
    ...each(searches, path, (search, at) =>
      search === "." ? none : searchProblems(search).map((problem) => invalid(at, search, problem)),
    ),
  ];
}

/** Returns the problems of a search domain: a DNS subdomain that may contain underscores and end with a dot. */
function searchProblems(search: string): NameProblems {
  const name = search.endsWith(".") ? search.slice(0, -1) : search;
  return dns1123SubdomainProblems(name.replace(/(^|\.)_/g, "$1").replaceAll("_", "-"));
}

function address(text: string, path: string): FieldErrors {
  return ipProblems(text).map((problem) => invalid(path, text, problem));
}

function validateHostname(spec: Sent<PodSpec>, path: string): FieldErrors {
  const { hostnameOverride: name, setHostnameAsFQDN, hostNetwork } = spec;
  if (name === undefined) return none;
  const rule = "may not be specified when";
  return [
    ...(setHostnameAsFQDN === true ? [forbidden(path, `${rule} setHostnameAsFQDN is true`)] : none),
    ...(hostNetwork === true ? [forbidden(path, `${rule} hostNetwork is true`)] : none),
    ...(name.length > 64 ? [tooLong(path, 64)] : none),
    ...dns1123SubdomainProblems(name).map((problem) => invalid(path, name, problem)),
  ];
}

function validateHostAlias({ ip = "", hostnames }: Sent<HostAlias>, path: string): FieldErrors {
  return [
    ...address(ip, `${path}.ip`),
    ...each(hostnames, `${path}.hostnames`, (name, at) =>
      dns1123SubdomainProblems(name).map((problem) => invalid(at, name, problem)),
    ),
  ];
}
