import type { FeatureGates } from "../../api/feature-gates.ts";
import type { DecodingContext } from "../../decisions/placement/plugin-entry.ts";

const group = "kubescheduler.config.k8s.io";

/** The supported API versions of the file, the current one first. */
export const apiVersions = [`${group}/v1`, `${group}/v1beta1`] as const;

/** The context of a file of an API version. */
export function decodingContextOf(apiVersion: unknown, gates: FeatureGates): DecodingContext {
  return { isV1beta1: apiVersion === apiVersions[1], gates };
}
