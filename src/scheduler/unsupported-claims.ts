import type { PodInfo } from "../decisions/placement/snapshot/pod-info.ts";
import { type Plugin, unresolvable } from "../decisions/placement/plugin.ts";

/**
 * Refuses Pods with claims, for clusters where claims are real: this scheduler knows nothing of where volumes and
 * devices are, and a Pod on the wrong node would never start.
 */
export const unsupportedClaims: Plugin = {
  name: "UnsupportedClaims",

  preFilter(pod) {
    const claimed = claimsOf(pod);
    return claimed === undefined
      ? undefined
      : { refusal: unresolvable(`the Pod has ${claimed}, which this scheduler does not support`) };
  },
};

function claimsOf({ pod: { spec } }: PodInfo): string | undefined {
  const hasVolumes = (spec.volumes ?? []).some(
    ({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim !== undefined || ephemeral !== undefined,
  );
  if (hasVolumes) return "PersistentVolumeClaims";
  return (spec.resourceClaims ?? []).length > 0 ? "resource claims" : undefined;
}
