import { invalid, required } from "../../../field-error.ts";
import type { DownwardAPIVolumeFile, KeyToPath } from "../../../generated/core-v1.ts";
import { type FieldErrors, none, requiredText } from "../../field-checks.ts";
import type { Sent } from "../../sent.ts";
import { volumeFileProblems } from "../../value-syntax.ts";
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

/** Validates which key becomes which file. */
export function validateKeyToPath({ key, path: target, mode }: Sent<KeyToPath>, path: string): FieldErrors {
  return [
    ...requiredText(key, `${path}.key`),
    ...requiredText(target, `${path}.path`, volumeFileProblems),
    ...fileMode(mode, `${path}.mode`),
  ];
}

/** Validates a file with facts about the Pod; upstream puts its errors at the volume, not at the file. */
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
