import { duplicate, forbidden, required } from "../../../field-error.ts";
import type { Volume, VolumeSource } from "../../../generated/core-v1.ts";
import { dns1123LabelProblems } from "../../../names.ts";
import { type FieldErrors, requiredText } from "../../field-checks.ts";
import type { Sent } from "../../sent.ts";
import { volumeSourceChecks } from "./volume-sources.ts";

/** The volumes containers may mount: those that are valid, by name. */
export type Volumes = ReadonlyMap<string, Sent<Volume>>;

/** Validates a Pod's volumes and says which of them can be mounted. */
export function validateVolumes(
  volumes: readonly Sent<Volume>[] | undefined,
  path: string,
): { readonly errors: FieldErrors; readonly usable: Volumes } {
  const usable = new Map<string, Sent<Volume>>();
  const errors = (volumes ?? []).flatMap((volume, index) => {
    const at = `${path}[${index}]`;
    const { name = "" } = volume;
    const found = [
      ...validateSource(volume, at),
      ...requiredText(name, `${at}.name`, dns1123LabelProblems),
      ...(usable.has(name) ? [duplicate(`${at}.name`, name)] : []),
    ];
    if (found.length === 0) usable.set(name, volume);
    return found;
  });
  return { errors, usable };
}

function validateSource(volume: Sent<Volume>, path: string): FieldErrors {
  const [first, ...others] = (Object.keys(volume) as (keyof Volume)[]).filter((key) => key !== "name");
  if (first === undefined) return [required(path, "must specify a volume type")];
  return [
    ...checkSource(volume, first, `${path}.${first}`),
    ...others.map((other) => forbidden(`${path}.${other}`, "may not specify more than 1 volume type")),
  ];
}

function checkSource<Key extends keyof VolumeSource>(
  volume: Pick<Sent<VolumeSource>, Key>,
  key: Key,
  path: string,
): FieldErrors {
  const source = volume[key];
  return source === undefined ? [] : (volumeSourceChecks[key]?.(source, path) ?? []);
}
