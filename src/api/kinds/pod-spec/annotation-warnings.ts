import { deepEqual } from "../../deep-equal.ts";
import type { AppArmorProfile, Container, PodSpec, PodTemplateSpec } from "../../generated/core-v1.ts";
import type { Sent } from "../sent.ts";

const notFunctional = (since: string, field: string) =>
  `non-functional in ${since}+; use the "${field}" field instead`;

/** Annotations that fields have replaced. */
const replaced: readonly (readonly [annotation: string, why: string])[] = [
  ["scheduler.alpha.kubernetes.io/critical-pod", notFunctional("v1.16", "priorityClassName")],
  ["security.alpha.kubernetes.io/sysctls", notFunctional("v1.11", "sysctls")],
  ["security.alpha.kubernetes.io/unsafe-sysctls", notFunctional("v1.11", "sysctls")],
];

const seccomp = notFunctional("v1.27", "seccompProfile");
const appArmor = 'deprecated since v1.30; use the "appArmorProfile" field instead';

/**
 * Annotations of a Pod or of a template that do nothing any more, or that a field should replace. The path is that of the
 * template, and empty for a Pod.
 */
export function annotationWarnings(
  { metadata = {}, spec = {} }: Sent<PodTemplateSpec>,
  path: string,
): readonly string[] {
  const { annotations } = metadata;
  if (annotations === undefined) return [];
  const { securityContext = {}, initContainers = [], containers = [] } = spec;
  const isSaid = path === "" ? isSaidInPod : isSaidInTemplate;
  const found = [
    ...replaced,
    ...(securityContext.seccompProfile
      ? []
      : [["seccomp.security.alpha.kubernetes.io/pod", seccomp] as const]),
    ...[...initContainers, ...containers].flatMap((container) =>
      ofContainer(container, (annotation) => isSaid(annotations[annotation], spec)),
    ),
  ].filter(([annotation]) => annotations[annotation] !== undefined);
  const at = path === "" ? "metadata" : `${path}.metadata`;
  return found.map(([annotation, why]) => `${at}.annotations[${annotation}]: ${why}`);
}

/** The annotations that are not to be used for a container: those whose field neither it nor the Pod has. */
function ofContainer(
  { name = "", securityContext = {} }: Sent<Container>,
  isSaidByPod: (annotation: string) => boolean,
): readonly (readonly [annotation: string, why: string])[] {
  const armor = `container.apparmor.security.beta.kubernetes.io/${name}`;
  return [
    ...(securityContext.seccompProfile
      ? []
      : [[`container.seccomp.security.alpha.kubernetes.io/${name}`, seccomp] as const]),
    ...(securityContext.appArmorProfile !== undefined || isSaidByPod(armor)
      ? []
      : [[armor, appArmor] as const]),
  ];
}

// upstream: any AppArmor profile of a template will do; that of a Pod has to be the annotated one, and Windows has none
const isSaidInTemplate = (_annotated: string | undefined, { securityContext }: Sent<PodSpec>): boolean =>
  securityContext?.appArmorProfile !== undefined;

function isSaidInPod(annotated = "", { os, securityContext = {} }: Sent<PodSpec>): boolean {
  const { appArmorProfile } = securityContext;
  if (os?.name === "windows") return true;
  return appArmorProfile !== undefined && deepEqual(appArmorProfile, profileOf(annotated));
}

/** The profile that the value of an annotation stands for. */
function profileOf(annotation: string): Sent<AppArmorProfile> | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  const [, localhostProfile = ""] = /^localhost\/(.*)$/s.exec(annotation) ?? [];
  return localhostProfile === "" ? undefined : { type: "Localhost", localhostProfile };
}
