import type { Deployment } from "./generated/apps-v1.ts";

/** When a Deployment may replace a Pod that is ending: once it has begun to end, or once it is gone. */
export type PodReplacementPolicy = "TerminationStarted" | "TerminationComplete";

// An API server that does not know our fields drops them; there the same settings are annotations.
export const podReplacementPolicyAnnotation = "trimtab.dev/pod-replacement-policy";
export const downscalePodPickerAnnotation = "trimtab.dev/downscale-pod-picker";

/** A Deployment's replacement policy, from the field or else from the annotation; an unknown one counts as unset. */
export function podReplacementPolicyOf(deployment: Deployment): PodReplacementPolicy | undefined {
  const policy =
    deployment.spec.podReplacementPolicy ?? deployment.metadata.annotations?.[podReplacementPolicyAnnotation];
  return policy === "TerminationStarted" || policy === "TerminationComplete" ? policy : undefined;
}
