/** From the largest domains to the smallest; other keys are between zones and hosts. */
const names: ReadonlyMap<string, { readonly rank: number; readonly name: string }> = new Map([
  ["topology.kubernetes.io/region", { rank: 0, name: "region" }],
  ["failure-domain.beta.kubernetes.io/region", { rank: 0, name: "region" }],
  ["topology.kubernetes.io/zone", { rank: 1, name: "zone" }],
  ["failure-domain.beta.kubernetes.io/zone", { rank: 1, name: "zone" }],
  ["kubernetes.io/hostname", { rank: 3, name: "host" }],
]);

/** A word for the domains of a topology key; the key itself where it is not well known. */
export function topologyName(key: string): string {
  return names.get(key)?.name ?? key;
}

/** Lower for larger domains. */
export function topologyRank(key: string): number {
  return names.get(key)?.rank ?? 2;
}
