import type { PodSpec, PodTemplateSpec } from "../../../../api/generated/core-v1.ts";
import { canonicalIpv6 } from "../../../../api/ip-address.ts";
import type { Sent } from "../../../../api/sent.ts";
import { annotationWarnings } from "./annotation-warnings.ts";
import { containerWarnings, fractionalBytes } from "./container-warnings.ts";
import { placementWarnings } from "./placement-warnings.ts";
import { portWarnings } from "./port-warnings.ts";
import { volumePathWarnings } from "./volume-path-warnings.ts";
import { volumeWarnings } from "./volume-warnings.ts";

const lists = ["initContainers", "containers"] as const;

/**
 * Warns of what is valid in a Pod or a template but probably a mistake, such as variables and ports that are defined
 * twice. The path is that of the template, and empty for a Pod.
 */
export function podWarnings(pod: Sent<PodTemplateSpec> = {}, path: string): readonly string[] {
  const { spec = {} } = pod;
  const at = path === "" ? "spec" : `${path}.spec`;
  const containers = lists.flatMap((list) =>
    (spec[list] ?? []).map((container, index) => ({ container, at: `${at}.${list}[${index}]` })),
  );
  return [
    ...placementWarnings(spec, at),
    ...annotationWarnings(pod, path),
    ...volumeWarnings(spec.volumes, `${at}.volumes`),
    ...volumePathWarnings(spec.volumes),
    ...duplicates(spec.hostAliases, "ip", `${at}.hostAliases`),
    ...duplicates(spec.imagePullSecrets, "name", `${at}.imagePullSecrets`),
    ...namelessSecrets(spec, at),
    ...fractionalBytes(spec.overhead, `${at}.overhead`),
    ...containers.flatMap(containerWarnings),
    ...portWarnings(containers),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [`${at}.terminationGracePeriodSeconds: ${negativeGrace}`]
      : []),
    ...addressWarnings(spec, at),
  ];
}

const negativeGrace = "must be >= 0; negative values are invalid and will be treated as 1";

/** Warns of list items whose values should be unique. */
function duplicates<Key extends string>(
  items: readonly Readonly<Partial<Record<Key, string>>>[] | undefined,
  key: Key,
  path: string,
): readonly string[] {
  const seen = new Set<string>();
  return (items ?? []).flatMap((item, index) => {
    const value = item[key] ?? "";
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated ? [`${path}[${index}].${key}: duplicate ${key} ${JSON.stringify(value)}`] : [];
  });
}

const namelessSecrets = ({ imagePullSecrets = [] }: Sent<PodSpec>, path: string) =>
  imagePullSecrets.flatMap(({ name = "" }, index) =>
    name === "" ? [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
  );

/** Warns of addresses that are not in canonical form. */
function addressWarnings({ dnsConfig, hostAliases = [] }: Sent<PodSpec>, path: string): readonly string[] {
  const addresses = [
    ...(dnsConfig?.nameservers ?? []).map((ip, index) => ({ ip, at: `dnsConfig.nameservers[${index}]` })),
    ...hostAliases.map(({ ip = "" }, index) => ({ ip, at: `hostAliases[${index}].ip` })),
  ];
  return addresses.flatMap(({ ip, at }) => {
    const canonical = canonicalIpv6(ip);
    if (canonical === undefined || canonical === ip) return [];
    const [sent, wanted] = [JSON.stringify(ip), JSON.stringify(canonical)];
    return [`${path}.${at}: IPv6 address ${sent} should be in RFC 5952 canonical format (${wanted})`];
  });
}
