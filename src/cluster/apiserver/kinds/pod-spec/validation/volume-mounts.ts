import { forbidden, invalid, notFound } from "../../../../../api/field-error.ts";
import type { Container, VolumeMount } from "../../../../../api/generated/core-v1.ts";
import {
  each,
  type FieldErrors,
  none,
  requiredText,
  supported,
  wellFormed,
} from "../../../../../api/field-checks.ts";
import type { Sent } from "../../../../../api/sent.ts";
import { backstepProblems, descendingPathProblems } from "../../../../../api/value-syntax.ts";
import type { Volumes } from "./volumes.ts";

/** Validates the volume mounts of a container: unique mount paths, and only volumes of the Pod. */
export function validateVolumeMounts(
  container: Sent<Container>,
  path: string,
  volumes: Volumes,
): FieldErrors {
  const mountPaths = new Set<string>();
  const devices = devicesOf(container);
  return each(container.volumeMounts, `${path}.volumeMounts`, (mount, at) => {
    const { name = "", mountPath = "" } = mount;
    const errors = [
      ...requiredText(name, `${at}.name`),
      ...(volumes.has(name) ? none : [notFound(`${at}.name`, name)]),
      ...requiredText(mountPath, `${at}.mountPath`),
      ...(mountPaths.has(mountPath) ? [invalid(`${at}.mountPath`, mountPath, "must be unique")] : none),
      ...validateAgainstDevices(mount, devices, at),
      ...validateMountDetails(mount, `${path}.volumeMounts`, container),
    ];
    mountPaths.add(mountPath);
    return errors;
  });
}

interface Devices {
  readonly names: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
}

function devicesOf({ volumeDevices = [] }: Sent<Container>): Devices {
  return {
    names: new Set(volumeDevices.map(({ name = "" }) => name)),
    paths: new Set(volumeDevices.map(({ devicePath = "" }) => devicePath)),
  };
}

function validateAgainstDevices(
  { name = "", mountPath = "" }: Sent<VolumeMount>,
  { names, paths }: Devices,
  path: string,
): FieldErrors {
  return [
    ...(names.has(name) ? [invalid(`${path}.name`, name, "must not already exist in volumeDevices")] : none),
    ...(paths.has(mountPath)
      ? [invalid(`${path}.mountPath`, mountPath, "must not already exist as a path in volumeDevices")]
      : none),
  ];
}

// upstream puts these errors at the list, not at the item
function validateMountDetails(
  mount: Sent<VolumeMount>,
  path: string,
  container: Sent<Container>,
): FieldErrors {
  const { subPath = "", subPathExpr = "", mountPropagation } = mount;
  const both = "subPathExpr and subPath are mutually exclusive";
  return [
    ...wellFormed(subPath, `${path}.subPath`, descendingPathProblems),
    ...(subPath !== "" && subPathExpr !== "" ? [invalid(`${path}.subPathExpr`, subPathExpr, both)] : none),
    ...wellFormed(subPathExpr, `${path}.subPathExpr`, descendingPathProblems),
    ...validatePropagation(mountPropagation, `${path}.mountPropagation`, container),
    ...validateRecursion(mount, `${path}.recursiveReadOnly`),
  ];
}

function validatePropagation(
  mode: string | undefined,
  path: string,
  container: Sent<Container>,
): FieldErrors {
  const unprivileged = mode === "Bidirectional" && container.securityContext?.privileged !== true;
  const rule = "Bidirectional mount propagation is available only to privileged containers";
  return [
    ...supported(mode, path, ["Bidirectional", "HostToContainer", "None"]),
    ...(unprivileged ? [forbidden(path, rule)] : none),
  ];
}

function validateRecursion(mount: Sent<VolumeMount>, path: string): FieldErrors {
  const { recursiveReadOnly: mode, readOnly, mountPropagation = "None" } = mount;
  if (mode !== "Enabled" && mode !== "IfPossible")
    return supported(mode, path, ["Disabled", "Enabled", "IfPossible"]);
  const propagated = "may only be specified when mountPropagation is None or not specified";
  return [
    ...(readOnly === true ? none : [forbidden(path, "may only be specified when readOnly is true")]),
    ...(mountPropagation === "None" ? none : [forbidden(path, propagated)]),
  ];
}

/** Validates the block devices of a container, which must be claims. */
export function validateVolumeDevices(
  container: Sent<Container>,
  path: string,
  volumes: Volumes,
): FieldErrors {
  const names = new Set<string>();
  const paths = new Set<string>();
  return each(container.volumeDevices, `${path}.volumeDevices`, ({ name = "", devicePath = "" }, at) => {
    const errors = [
      ...requiredText(name, `${at}.name`),
      ...(names.has(name) ? [invalid(`${at}.name`, name, "must be unique")] : none),
      ...validateDeviceVolume(name, `${at}.name`, volumes),
      ...requiredText(devicePath, `${at}.devicePath`),
      ...(paths.has(devicePath) ? [invalid(`${at}.devicePath`, devicePath, "must be unique")] : none),
      ...wellFormed(devicePath, `${at}.devicePath`, (text) =>
        backstepProblems(text).map(() => "can not contain backsteps ('..')"),
      ),
    ];
    if (name !== "") names.add(name);
    paths.add(devicePath);
    return errors;
  });
}

function validateDeviceVolume(name: string, path: string, volumes: Volumes): FieldErrors {
  const volume = volumes.get(name);
  if (volume === undefined) return [notFound(path, name)];
  if (volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined) return none;
  const rule = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
  return [invalid(path, name, rule)];
}
