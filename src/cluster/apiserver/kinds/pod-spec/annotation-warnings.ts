import { deepEqual } from "../../../../api/deep-equal.ts";
import type { Container, PodSpec, PodTemplateSpec } from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import {
  appArmorAnnotation,
  appArmorProfileOf,
  appArmorWithoutField,
  hasAppArmorAnnotations,
  isForWindows,
} from "./app-armor-annotations.ts";

type Replaced = readonly [annotation: string, why: string];

const notFunctional = (since: string, field: string) =>
  `non-functional in ${since}+; use the "${field}" field instead`;

/** Annotations that fields have replaced. */
const replaced: readonly Replaced[] = [
  ["scheduler.alpha.kubernetes.io/critical-pod", notFunctional("v1.16", "priorityClassName")],
  ["security.alpha.kubernetes.io/sysctls", notFunctional("v1.11", "sysctls")],
  ["security.alpha.kubernetes.io/unsafe-sysctls", notFunctional("v1.11", "sysctls")],
];

const seccomp = notFunctional("v1.27", "seccompProfile");
const appArmor = 'deprecated since v1.30; use the "appArmorProfile" field instead';

/**
 * Warns of annotations of a Pod or a template that have no effect any more, or that a field should replace. The path is
 * that of the template, and empty for a Pod.
 */
export function annotationWarnings(template: Sent<PodTemplateSpec>, path: string): readonly string[] {
  const { metadata, spec = {} } = template;
  const { annotations } = metadata ?? {};
  if (annotations === undefined) return [];
  const { securityContext = {} } = spec;
  const found = [
    ...replaced,
    ...(securityContext.seccompProfile
      ? []
      : [["seccomp.security.alpha.kubernetes.io/pod", seccomp] as const]),
    ...containersOf(spec).flatMap((container) => [
      ...seccompOf(container),
      // The fields of a Pod are filled in from its annotations, so `appArmorWarnings` examines the Pod as it was sent.
      ...(path === "" ? [] : appArmorOf(container, template)),
    ]),
  ].filter(([annotation]) => annotations[annotation] !== undefined);
  return found.map(warningAt(path === "" ? "metadata" : `${path}.metadata`));
}

/** Warns of AppArmor annotations of a Pod as it was sent, for containers without a profile in a field. */
export function appArmorWarnings(pod: Sent<PodTemplateSpec>): readonly string[] {
  const { spec = {} } = pod;
  if (!hasAppArmorAnnotations(pod) || isForWindows(spec)) return [];
  const found = containersOf(spec).flatMap((container) => appArmorOf(container, pod));
  return found.map(warningAt("metadata"));
}

const containersOf = ({ initContainers = [], containers = [] }: Sent<PodSpec>) => [
  ...initContainers,
  ...containers,
];

const warningAt =
  (path: string) =>
  ([annotation, why]: Replaced) =>
    `${path}.annotations[${annotation}]: ${why}`;

function seccompOf({ name = "", securityContext }: Sent<Container>): readonly Replaced[] {
  const annotation = `container.seccomp.security.alpha.kubernetes.io/${name}`;
  return securityContext?.seccompProfile ? [] : [[annotation, seccomp]];
}

/** Returns the AppArmor annotation of a container, unless its field has a profile or that of the Pod the same one. */
function appArmorOf(container: Sent<Container>, pod: Sent<PodTemplateSpec>): readonly Replaced[] {
  const value = appArmorWithoutField(pod, container);
  if (value === undefined) return [];
  const ofPod = pod.spec?.securityContext?.appArmorProfile;
  const isSaidByPod = ofPod !== undefined && deepEqual(ofPod, appArmorProfileOf(value));
  return isSaidByPod ? [] : [[appArmorAnnotation(container.name), appArmor]];
}
