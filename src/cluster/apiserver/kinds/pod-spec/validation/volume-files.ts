import { forbidden, invalid, required } from "../../../../../api/field-error.ts";
import type {
  DownwardAPIVolumeFile,
  KeyToPath,
  ProjectedVolumeSource,
  VolumeProjection,
} from "../../../../../api/generated/core-v1.ts";
import { each, type FieldErrors, none, requiredText } from "../../../../../api/field-checks.ts";
import type { Sent } from "../../../../../api/sent.ts";
import { volumeFileProblems } from "../../../../../api/value-syntax.ts";
import { validateFieldRef, validateResourceFieldRef } from "./field-references.ts";

const fileFields = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];

/** Validates the permissions of a file. */
export function fileMode(mode: number | undefined, path: string): FieldErrors {
  const fits = mode === undefined || (mode >= 0 && mode <= 0o777);
  return fits ? none : [invalid(path, mode, "must be a number between 0 and 0777 (octal), both inclusive")];
}

/** Validates the mapping of a key to a file. */
export function validateKeyToPath({ key, path: target, mode }: Sent<KeyToPath>, path: string): FieldErrors {
  return [
    ...requiredText(key, `${path}.key`),
    ...requiredText(target, `${path}.path`, volumeFileProblems),
    ...fileMode(mode, `${path}.mode`),
  ];
}

/** Validates a file of a downwardAPI volume; upstream puts its errors at the volume, not at the file. */
export function validateFile(file: Sent<DownwardAPIVolumeFile>, path: string): FieldErrors {
  return [
    ...requiredText(file.path, `${path}.path`, volumeFileProblems),
    ...validateFileContent(file, path),
    ...fileMode(file.mode, `${path}.mode`),
  ];
}

function validateFileContent(
  { fieldRef, resourceFieldRef }: Sent<DownwardAPIVolumeFile>,
  path: string,
): FieldErrors {
  if (fieldRef !== undefined) {
    const both = "fieldRef and resourceFieldRef can not be specified simultaneously";
    return [
      ...validateFieldRef(fieldRef, `${path}.fieldRef`, fileFields),
      ...(resourceFieldRef === undefined ? none : [invalid(path, "resource", both)]),
    ];
  }
  if (resourceFieldRef === undefined)
    return [required(path, "one of fieldRef and resourceFieldRef is required")];
  const at = `${path}.resourceFieldRef`;
  return [
    ...requiredText(resourceFieldRef.containerName, `${at}.containerName`),
    ...validateResourceFieldRef(resourceFieldRef, at),
  ];
}

/** Validates a projected volume: the paths of its sources must differ. */
export function validateProjected(
  { sources, defaultMode }: Sent<ProjectedVolumeSource>,
  path: string,
): FieldErrors {
  const mode = fileMode(defaultMode, `${path}.defaultMode`);
  const taken = new Set<string>();
  const found = each(sources, `${path}.sources`, (source, at) => [
    ...validateProjection(source, at, path),
    ...pathsOf(source).flatMap((target) => {
      if (taken.has(target)) return [invalid(path, target, "conflicting duplicate paths")];
      taken.add(target);
      return none;
    }),
  ]);
  return [...mode, ...found];
}

function pathsOf({ secret, configMap, downwardAPI }: Sent<VolumeProjection>): readonly string[] {
  const items = [...(secret?.items ?? []), ...(configMap?.items ?? []), ...(downwardAPI?.items ?? [])];
  return items.map((item) => item.path ?? "").filter((path) => path !== "");
}

function validateProjection(source: Sent<VolumeProjection>, path: string, volumePath: string): FieldErrors {
  const { secret, configMap, downwardAPI, serviceAccountToken } = source;
  return [
    ...(secret === undefined ? none : validateProjectedKeys(secret, `${path}.secret`)),
    ...(configMap === undefined ? none : validateProjectedKeys(configMap, `${path}.configMap`)),
    ...(downwardAPI?.items ?? []).flatMap((file) => validateFile(file, `${path}.downwardAPI`)),
    ...(serviceAccountToken === undefined
      ? none
      : validateToken(serviceAccountToken, `${path}.serviceAccountToken`, volumePath)),
    ...(Object.keys(source).length > 1
      ? [forbidden(path, "may not specify more than 1 volume type per source")]
      : none),
  ];
}

interface ProjectedKeys {
  readonly name?: string;
  readonly items?: readonly Sent<KeyToPath>[];
}

function validateProjectedKeys({ name, items }: ProjectedKeys, path: string): FieldErrors {
  return [...requiredText(name, `${path}.name`), ...each(items, `${path}.items`, validateKeyToPath)];
}

interface Token {
  readonly expirationSeconds?: number;
  readonly path?: string;
}

function validateToken(
  { expirationSeconds = 3600, path: target }: Token,
  path: string,
  volumePath: string,
): FieldErrors {
  const at = `${path}.expirationSeconds`;
  const short = "may not specify a duration less than 10 minutes";
  const long = "may not specify a duration larger than 2^32 seconds";
  return [
    ...(expirationSeconds < 600 ? [invalid(at, expirationSeconds, short)] : none),
    ...(expirationSeconds > 2 ** 32 ? [invalid(at, expirationSeconds, long)] : none),
    ...requiredText(target, `${volumePath}.path`, volumeFileProblems),
  ];
}
