import { deepEqual } from "../../deep-equal.ts";
import type { AppArmorProfile, Container, PodSpec } from "../../generated/core-v1.ts";
import type { Sent } from "../sent.ts";

type Annotations = Readonly<Record<string, string>>;

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

/** Annotations of a Pod that do nothing any more, or that a field should replace. The path is that of its metadata. */
export function annotationWarnings(
  annotations: Annotations | undefined,
  spec: Sent<PodSpec>,
  path: string,
): readonly string[] {
  if (annotations === undefined) return [];
  const { securityContext = {}, initContainers = [], containers = [] } = spec;
  const found = [
    ...replaced,
    ...(securityContext.seccompProfile
      ? []
      : [["seccomp.security.alpha.kubernetes.io/pod", seccomp] as const]),
    ...[...initContainers, ...containers].flatMap((container) =>
      ofContainer(container, annotations, securityContext.appArmorProfile),
    ),
  ].filter(([annotation]) => annotations[annotation] !== undefined);
  return found.map(([annotation, why]) => `${path}.annotations[${annotation}]: ${why}`);
}

/** The annotations that are not to be used for a container: those whose field it does not have. */
function ofContainer(
  { name = "", securityContext = {} }: Sent<Container>,
  annotations: Annotations,
  profileOfPod: Sent<AppArmorProfile> | undefined,
): readonly (readonly [annotation: string, why: string])[] {
  const armor = `container.apparmor.security.beta.kubernetes.io/${name}`;
  const isSaidByField =
    securityContext.appArmorProfile !== undefined ||
    (profileOfPod !== undefined && deepEqual(profileOfPod, profileOf(annotations[armor] ?? "")));
  return [
    ...(securityContext.seccompProfile
      ? []
      : [[`container.seccomp.security.alpha.kubernetes.io/${name}`, seccomp] as const]),
    ...(isSaidByField ? [] : [[armor, appArmor] as const]),
  ];
}

/** The profile that the value of an annotation stands for. */
function profileOf(annotation: string): Sent<AppArmorProfile> | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  const [, localhostProfile = ""] = /^localhost\/(.*)$/s.exec(annotation) ?? [];
  return localhostProfile === "" ? undefined : { type: "Localhost", localhostProfile };
}
