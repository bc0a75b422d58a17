import type { Labels } from "../../../api/labels/label-selector.ts";
import { labelOf } from "./reading.ts";

/** The region and zone of a node in one string (upstream: GetZoneKey), or "". Deprecated labels take precedence. */
export function zoneKeyOf(labels: Labels): string {
  const region = either(labels, "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region");
  const zone = either(labels, "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone");
  // No label value contains a NUL, so different pairs give different keys.
  return region === "" && zone === "" ? "" : `${region}:\0:${zone}`;
}

function either(labels: Labels, older: string, newer: string): string {
  return labelOf(labels, older) ?? labelOf(labels, newer) ?? "";
}
