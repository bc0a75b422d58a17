import { forbidden } from "../../../../api/field-error.ts";
import type { Pod, PodSpec, Volume } from "../../../../api/generated/core-v1.ts";
import { each, type FieldErrors, none } from "../../../../api/field-checks.ts";
import type { StrategyContext } from "../kind-strategy.ts";
import { validateAppArmorProfiles } from "../pod-spec/app-armor-annotations.ts";
import { validateTrimmedImage } from "../pod-spec/validation/containers.ts";
import { validatePodAnnotations } from "../pod-spec/validation/pod-annotations.ts";
import { validatePodSpec } from "../pod-spec/validation/pod-spec.ts";
import type { Sent } from "../../../../api/sent.ts";

/** Validates a Pod; some fields may only be set after its creation. */
export function validatePod(pod: Sent<Pod>, context: StrategyContext, stored?: Sent<Pod>): FieldErrors {
  const { spec = {} } = pod;
  return [
    ...validatePodAnnotations({ pod, stored }, "metadata.annotations", context),
    ...validatePodSpec(spec, "spec", "pod"),
    ...validateTokens(spec),
    ...each(spec.containers, "spec.containers", validateTrimmedImage),
    ...each(spec.initContainers, "spec.initContainers", validateTrimmedImage),
    ...(stored === undefined ? [...validateNewSpec(spec), ...validateAppArmorProfiles(pod, "spec")] : none),
  ];
}

function validateNewSpec({
  ephemeralContainers,
  nodeName = "",
  schedulingGates = [],
}: Sent<PodSpec>): FieldErrors {
  const isBoundWhileGated = nodeName !== "" && schedulingGates.length > 0;
  const gated = "cannot be set until all schedulingGates have been cleared";
  return [
    ...((ephemeralContainers ?? []).length > 0
      ? [forbidden("spec.ephemeralContainers", "cannot be set on create")]
      : none),
    ...(isBoundWhileGated ? [forbidden("spec.nodeName", gated)] : none),
  ];
}

/** Validates that a Pod with a service account token has a service account. */
function validateTokens({ serviceAccountName = "", volumes }: Sent<PodSpec>): FieldErrors {
  if (serviceAccountName !== "") return none;
  return each(volumes, "spec.volumes", ({ projected }: Sent<Volume>, at) =>
    each(projected?.sources, `${at}.projected.sources`, ({ serviceAccountToken }, sourceAt) =>
      serviceAccountToken === undefined
        ? none
        : [
            forbidden(
              `${sourceAt}.serviceAccountToken`,
              "must not be specified when serviceAccountName is not set",
            ),
          ],
    ),
  );
}
