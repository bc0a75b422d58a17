import { deepEqual } from "../../../../api/deep-equal.ts";
import type { AppArmorProfile, Container, Pod } from "../../../../api/generated/core-v1.ts";
import { eachItem, mapMembers } from "../../../../api/defaulting.ts";
import {
  appArmorProfileOf,
  appArmorWithoutField,
  hasAppArmorAnnotations,
  isForWindows,
} from "../pod-spec/app-armor-annotations.ts";
import { validateAppArmorProfile } from "../pod-spec/validation/security-context.ts";
import type { Sent } from "../../../../api/sent.ts";

/** Returns the Pod with the annotated AppArmor profiles of its containers in their fields, which kubelets read. */
export function withAppArmorFields(pod: Sent<Pod>): Sent<Pod> {
  const { spec = {} } = pod;
  if (!hasAppArmorAnnotations(pod) || isForWindows(spec)) return pod;
  const withField = eachItem((container: Sent<Container>) => {
    const appArmorProfile = profileToCopy(pod, container);
    if (appArmorProfile === undefined) return container;
    return { ...container, securityContext: { ...container.securityContext, appArmorProfile } };
  });
  return { ...pod, spec: mapMembers(spec, { initContainers: withField, containers: withField }) };
}

/** Returns the annotated profile of a container without one in its field, if it is valid and not that of the Pod. */
function profileToCopy(pod: Sent<Pod>, container: Sent<Container>): Sent<AppArmorProfile> | undefined {
  const annotation = appArmorWithoutField(pod, container);
  const profile = annotation === undefined ? undefined : appArmorProfileOf(annotation);
  const isValid = validateAppArmorProfile(profile, "").length === 0;
  return isValid && !deepEqual(profile, pod.spec?.securityContext?.appArmorProfile) ? profile : undefined;
}
