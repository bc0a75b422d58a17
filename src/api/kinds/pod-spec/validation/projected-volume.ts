import { forbidden, invalid } from "../../../field-error.ts";
import type { KeyToPath, ProjectedVolumeSource, VolumeProjection } from "../../../generated/core-v1.ts";
import { each, type FieldErrors, none, requiredText } from "../../field-checks.ts";
import type { Sent } from "../../sent.ts";
import { volumeFileProblems } from "../../value-syntax.ts";
import { fileMode, validateFile, validateKeyToPath } from "./volume-files.ts";

/** Validates a volume made of several sources, whose files have to differ. */
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
