import { forbidden, invalid } from "../../../../api/field-error.ts";
import type {
  AppArmorProfile,
  Container,
  PodSpec,
  PodTemplateSpec,
} from "../../../../api/generated/core-v1.ts";
import { type FieldErrors, none } from "../../../../api/field-checks.ts";
import type { Sent } from "../../../../api/sent.ts";

const prefix = "container.apparmor.security.beta.kubernetes.io/";
const localhost = "localhost/";

/** Returns the deprecated annotation with the AppArmor profile of a container. */
export function appArmorAnnotation(container = ""): string {
  return `${prefix}${container}`;
}

export function isAppArmorAnnotation(key: string): boolean {
  return key.startsWith(prefix);
}

export function hasAppArmorAnnotations({ metadata }: Sent<PodTemplateSpec>): boolean {
  return Object.keys(metadata?.annotations ?? {}).some(isAppArmorAnnotation);
}

/** Returns the profile that the value of an annotation means; absent if it means none. */
export function appArmorProfileOf(annotation: string): Sent<AppArmorProfile> | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  const localhostProfile = annotation.startsWith(localhost) ? annotation.slice(localhost.length) : "";
  return localhostProfile === "" ? undefined : { type: "Localhost", localhostProfile };
}

/** Returns the value of the annotation of a container without a profile in its own field. */
export function appArmorWithoutField(
  { metadata }: Sent<PodTemplateSpec>,
  { name, securityContext }: Sent<Container>,
): string | undefined {
  return securityContext?.appArmorProfile === undefined
    ? metadata?.annotations?.[appArmorAnnotation(name)]
    : undefined;
}

/** Reports whether a Pod is for Windows, which has no AppArmor: its annotations and fields are not compared. */
export function isForWindows({ os }: Sent<PodSpec>): boolean {
  return os?.name === "windows";
}

/** Validates the AppArmor annotations of a Pod or of a template; the path is that of its annotations. */
export function validateAppArmorAnnotations(
  { metadata, spec = {} }: Sent<PodTemplateSpec>,
  path: string,
): FieldErrors {
  const found = Object.entries(metadata?.annotations ?? {}).filter(([key]) => isAppArmorAnnotation(key));
  if (found.length === 0) return none;
  const names = new Set(listsOf(spec).flatMap(([, containers]) => containers.map(({ name }) => name)));
  return found.flatMap(([key, profile]) => {
    const name = key.slice(prefix.length);
    const wrong = `invalid AppArmor profile name: ${JSON.stringify(profile)}`;
    return [
      ...(names.has(name) ? none : [invalid(`${path}[${key}]`, name, "container not found")]),
      ...(isProfileName(profile) ? none : [invalid(`${path}[${key}]`, profile, wrong)]),
    ];
  });
}

const isProfileName = (text: string) =>
  ["", "runtime/default", "unconfined"].includes(text) || text.startsWith(localhost);

/** Validates that the profile of every container is the one it is annotated with; the path is that of the spec. */
export function validateAppArmorProfiles(
  { metadata, spec = {} }: Sent<PodTemplateSpec>,
  path: string,
): FieldErrors {
  const { annotations } = metadata ?? {};
  if (annotations === undefined || isForWindows(spec)) return none;
  return listsOf(spec).flatMap(([list, containers]) =>
    containers.flatMap(({ name, securityContext }, index) => {
      const profile = securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
      const annotation = annotations[appArmorAnnotation(name)];
      return profile === undefined || annotation === undefined
        ? none
        : validateSame(profile, annotation, `${path}.${list}[${index}].securityContext.appArmorProfile`);
    }),
  );
}

/** The annotations of each type of profile. */
const annotated = new Map([
  ["Unconfined", /^unconfined$/],
  ["RuntimeDefault", /^runtime\/default$/],
  ["Localhost", /^localhost\//],
]);

function validateSame(
  { type = "", localhostProfile }: Sent<AppArmorProfile>,
  annotation: string,
  path: string,
): FieldErrors {
  const isSameType = annotated.get(type)?.test(annotation) ?? true;
  if (!isSameType) return [forbidden(`${path}.type`, "apparmor type in annotation and field must match")];
  const isSame = type !== "Localhost" || annotation === `${localhost}${localhostProfile}`;
  const rule = "apparmor profile in annotation and field must match";
  return isSame ? none : [forbidden(`${path}.localhostProfile`, rule)];
}

const listsOf = ({ initContainers = [], containers = [], ephemeralContainers = [] }: Sent<PodSpec>) =>
  [
    ["initContainers", initContainers],
    ["containers", containers],
    ["ephemeralContainers", ephemeralContainers],
  ] as const;
