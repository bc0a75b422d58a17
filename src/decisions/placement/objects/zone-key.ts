import type { Labels } from "../../../api/labels/label-selector.ts";
import { formerRegionLabel, formerZoneLabel, regionLabel, zoneLabel } from "../../../api/well-known.ts";
import { labelOf } from "./reading.ts";

/** The region and zone of a node in one string (upstream: GetZoneKey), or "". Deprecated labels take precedence. */
export function zoneKeyOf(labels: Labels): string {
  const region = either(labels, formerRegionLabel, regionLabel);
  const zone = either(labels, formerZoneLabel, zoneLabel);
  // No label value contains a NUL, so different pairs give different keys.
  return region === "" && zone === "" ? "" : `${region}:\0:${zone}`;
}

function either(labels: Labels, older: string, newer: string): string {
  return labelOf(labels, older) ?? labelOf(labels, newer) ?? "";
}
