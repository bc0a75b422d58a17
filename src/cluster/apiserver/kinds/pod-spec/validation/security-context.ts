import { forbidden, invalid, notSupported, required, tooLong } from "../../../../../api/field-error.ts";
import type {
  AppArmorProfile,
  PodSpec,
  SeccompProfile,
  SecurityContext,
  Sysctl,
} from "../../../../../api/generated/core-v1.ts";
import {
  each,
  type FieldErrors,
  none,
  requiredText,
  supported,
  wellFormed,
  within,
} from "../../../../../api/field-checks.ts";
import type { Sent } from "../../../../../api/sent.ts";
import { byteLength, descendingPathProblems } from "../../../../../api/value-syntax.ts";

const ids = { min: 0, max: 2 ** 31 - 1 };
const profileTypes = ["Localhost", "RuntimeDefault", "Unconfined"];

/** Validates the security context of a container. */
export function validateSecurityContext(
  context: Sent<SecurityContext> | undefined,
  path: string,
): FieldErrors {
  if (context === undefined) return none;
  return [
    ...within(context.runAsUser, `${path}.runAsUser`, ids),
    ...within(context.runAsGroup, `${path}.runAsGroup`, ids),
    ...supported(context.procMount, `${path}.procMount`, ["Default", "Unmasked"]),
    ...validateSeccomp(context.seccompProfile, `${path}.seccompProfile`),
    ...validateEscalation(context, path),
    ...validateAppArmorProfile(context.appArmorProfile, `${path}.appArmorProfile`),
  ];
}

function validateEscalation(context: Sent<SecurityContext>, path: string): FieldErrors {
  if (context.allowPrivilegeEscalation !== false) return none;
  const rule = "cannot set `allowPrivilegeEscalation` to false and";
  const isAdmin = context.capabilities?.add?.includes("CAP_SYS_ADMIN") === true;
  return [
    ...(context.privileged === true ? [invalid(path, context, `${rule} \`privileged\` to true`)] : none),
    ...(isAdmin ? [invalid(path, context, `${rule} \`capabilities.Add\` CAP_SYS_ADMIN`)] : none),
  ];
}

/** Validates the security context of a Pod. */
export function validatePodSecurityContext(spec: Sent<PodSpec>, path: string): FieldErrors {
  const context = spec.securityContext ?? {};
  const at = `${path}.securityContext`;
  return [
    ...within(context.fsGroup, `${at}.fsGroup`, ids),
    ...within(context.runAsUser, `${at}.runAsUser`, ids),
    ...within(context.runAsGroup, `${at}.runAsGroup`, ids),
    ...each(context.supplementalGroups, `${at}.supplementalGroups`, (group, item) =>
      within(group, item, ids),
    ),
    ...validateSharedProcesses(spec, `${at}.shareProcessNamespace`),
    ...validateSysctls(context.sysctls, `${at}.sysctls`),
    ...supported(context.fsGroupChangePolicy, `${at}.fsGroupChangePolicy`, ["Always", "OnRootMismatch"]),
    ...validateSeccomp(context.seccompProfile, `${at}.seccompProfile`),
    ...validateAppArmorProfile(context.appArmorProfile, `${at}.appArmorProfile`),
    ...supported(context.supplementalGroupsPolicy, `${at}.supplementalGroupsPolicy`, ["Merge", "Strict"]),
    ...supported(context.seLinuxChangePolicy, `${at}.seLinuxChangePolicy`, ["MountOption", "Recursive"]),
  ];
}

function validateSharedProcesses(
  { shareProcessNamespace, hostPID }: Sent<PodSpec>,
  path: string,
): FieldErrors {
  const clash = shareProcessNamespace === true && hostPID === true;
  return clash ? [invalid(path, true, "ShareProcessNamespace and HostPID cannot both be enabled")] : none;
}

/** Validates that a Pod in its own user namespace shares no other namespace with its node. */
export function validateHostUsers({ hostUsers, hostPID, hostIPC }: Sent<PodSpec>, path: string): FieldErrors {
  if (hostUsers !== false) return none;
  return [
    ...(hostPID === true ? [forbidden(`${path}.HostPID`, "when `hostUsers` is false")] : none),
    ...(hostIPC === true ? [forbidden(`${path}.HostIPC`, "when `hostUsers` is false")] : none),
  ];
}

const sysctlSegment = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const sysctlPattern = `^(${sysctlSegment}[\\./])*${sysctlSegment}$`;
const sysctlSyntax = new RegExp(sysctlPattern);

function validateSysctls(sysctls: readonly Sent<Sysctl>[] | undefined, path: string): FieldErrors {
  return each(sysctls, path, ({ name }, at) =>
    requiredText(name, `${at}.name`, (text) =>
      text.length <= 253 && sysctlSyntax.test(text)
        ? []
        : [`must have at most 253 characters and match regex ${sysctlPattern}`],
    ),
  );
}

function validateSeccomp(profile: Sent<SeccompProfile> | undefined, path: string): FieldErrors {
  if (profile === undefined) return none;
  const { type = "", localhostProfile } = profile;
  const at = `${path}.localhostProfile`;
  const typed = profileType(type, `${path}.type`, "seccompProfile");
  if (type !== "Localhost") {
    const rule = "can only be set when seccomp type is Localhost";
    return localhostProfile === undefined ? typed : [...typed, invalid(at, profile, rule)];
  }
  if (localhostProfile === undefined)
    return [...typed, required(at, "must be set when seccomp type is Localhost")];
  return [...typed, ...wellFormed(localhostProfile, at, descendingPathProblems)];
}

function profileType(type: string, path: string, member: string): FieldErrors {
  if (type === "") return [required(path, `type is required when ${member} is set`)];
  return profileTypes.includes(type) ? none : [notSupported(path, type, profileTypes)];
}

const longestPath = 4095;

/** Validates the AppArmor profile of a Pod or of a container. */
export function validateAppArmorProfile(
  profile: Sent<AppArmorProfile> | undefined,
  path: string,
): FieldErrors {
  if (profile === undefined) return none;
  const { type = "", localhostProfile } = profile;
  const at = `${path}.localhostProfile`;
  const typed = profileType(type, `${path}.type`, "appArmorProfile");
  if (type === "Localhost") return [...typed, ...validateAppArmorFile(localhostProfile ?? "", at)];
  const rule = "can only be set when AppArmor type is Localhost";
  const stray = localhostProfile !== undefined && typed.length === 0;
  return stray ? [invalid(at, localhostProfile, rule)] : typed;
}

function validateAppArmorFile(name: string, path: string): FieldErrors {
  if (name.trim() !== name) return [invalid(path, name, "must not be padded with whitespace")];
  if (name === "") return [required(path, "must be set when AppArmor type is Localhost")];
  return byteLength(name) > longestPath ? [tooLong(path, longestPath)] : none;
}
