import type { PluginEntry } from "../decisions/placement/plugin-entry.ts";
import { type Plugin, unresolvable } from "../decisions/placement/plugin.ts";
import { noHints } from "../decisions/placement/cluster-event.ts";
import type { PodInfo } from "../decisions/placement/objects/pod-info.ts";

/**
 * Rejects Pods with claims, for clusters where claims are real: this scheduler does not know where volumes and devices
 * are, and a Pod on the wrong node would never start.
 */
const unsupportedClaims: Plugin = {
  name: "UnsupportedClaims",

  preFilter(pod) {
    const claimed = claimsOf(pod);
    return claimed === undefined
      ? undefined
      : { refusal: unresolvable(`the Pod has ${claimed}, which this scheduler does not support`) };
  },
};

export const unsupportedClaimsEntry: PluginEntry = {
  name: unsupportedClaims.name,
  points: ["preFilter", "filter"],
  create: () => unsupportedClaims,
  // The claims of a Pod do not change.
  hints: () => noHints,
};

function claimsOf({ pod: { spec } }: PodInfo): string | undefined {
  const hasVolumes = (spec.volumes ?? []).some(
    ({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim !== undefined || ephemeral !== undefined,
  );
  if (hasVolumes) return "PersistentVolumeClaims";
  return (spec.resourceClaims ?? []).length > 0 ? "resource claims" : undefined;
}
