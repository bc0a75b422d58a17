import {
  formerRegionLabel,
  formerZoneLabel,
  hostnameLabel,
  regionLabel,
  zoneLabel,
} from "../../api/well-known.ts";

/** From the largest domains to the smallest; other keys are between zones and hosts. */
const names: ReadonlyMap<string, { readonly rank: number; readonly name: string }> = new Map([
  [regionLabel, { rank: 0, name: "region" }],
  [formerRegionLabel, { rank: 0, name: "region" }],
  [zoneLabel, { rank: 1, name: "zone" }],
  [formerZoneLabel, { rank: 1, name: "zone" }],
  [hostnameLabel, { rank: 3, name: "host" }],
]);

/** A word for the domains of a topology key; the key itself where it is not well known. */
export function topologyName(key: string): string {
  return names.get(key)?.name ?? key;
}

/** Lower for larger domains. */
export function topologyRank(key: string): number {
  return names.get(key)?.rank ?? 2;
}
