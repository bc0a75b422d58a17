import { duplicate, forbidden, invalid, required } from "../../../../../api/field-error.ts";
import type { Volume, VolumeSource } from "../../../../../api/generated/core-v1.ts";
import { dns1123LabelProblems, dns1123SubdomainProblems } from "../../../../../api/names.ts";
import { parseQuantity } from "../../../../../api/quantity/quantity.ts";
import {
  each,
  type FieldErrors,
  none,
  requiredOneOf,
  requiredText,
  supported,
} from "../../../../../api/field-checks.ts";
import type { Sent } from "../../../../../api/sent.ts";
import { backstepProblems } from "../../../../../api/value-syntax.ts";
import { fileMode, validateFile, validateKeyToPath, validateProjected } from "./volume-files.ts";

/** The valid volumes of a Pod, by name: containers may mount these. */
export type Volumes = ReadonlyMap<string, Sent<Volume>>;

/** Validates a Pod's volumes and returns those that can be mounted. */
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

type Checks = {
  readonly [Key in keyof VolumeSource]?: (
    source: NonNullable<Sent<VolumeSource>[Key]>,
    path: string,
  ) => FieldErrors;
};

const hostPathTypes = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];
/** One check for each volume source that has rules; the others are only decoded. */
const volumeSourceChecks: Checks = {
  emptyDir: ({ sizeLimit }, path) =>
    (parseQuantity(sizeLimit)?.nanos ?? 0n) < 0n
      ? [forbidden(`${path}.sizeLimit`, "SizeLimit field must be a valid resource quantity")]
      : none,
  hostPath: ({ path: target, type }, path) => [
    ...requiredText(target, `${path}.path`, backstepProblems),
    ...supported(type, `${path}.type`, hostPathTypes),
  ],
  secret: ({ secretName, defaultMode, items }, path) => [
    ...requiredText(secretName, `${path}.secretName`),
    ...fileMode(defaultMode, `${path}.defaultMode`),
    ...each(items, `${path}.items`, validateKeyToPath),
  ],
  configMap: ({ name, defaultMode, items }, path) => [
    ...requiredText(name, `${path}.name`),
    ...fileMode(defaultMode, `${path}.defaultMode`),
    ...each(items, `${path}.items`, validateKeyToPath),
  ],
  downwardAPI: ({ defaultMode, items = [] }, path) => [
    ...fileMode(defaultMode, `${path}.defaultMode`),
    ...items.flatMap((file) => validateFile(file, path)),
  ],
  projected: validateProjected,
  persistentVolumeClaim: ({ claimName }, path) => requiredText(claimName, `${path}.claimName`),
  nfs: ({ server, path: target = "" }, path) => [
    ...requiredText(server, `${path}.server`),
    ...requiredText(target, `${path}.path`),
    ...(target.startsWith("/") ? none : [invalid(`${path}.path`, target, "must be an absolute path")]),
  ],
  csi: ({ driver, nodePublishSecretRef }, path) => [
    ...requiredText(driver, `${path}.driver`),
    ...(nodePublishSecretRef === undefined
      ? none
      : requiredText(
          nodePublishSecretRef.name,
          `${path}.nodePublishSecretRef.name`,
          dns1123SubdomainProblems,
        )),
  ],
  ephemeral: ({ volumeClaimTemplate }, path) =>
    volumeClaimTemplate === undefined ? [required(`${path}.volumeClaimTemplate`)] : none,
  image: ({ pullPolicy }, path) =>
    requiredOneOf(pullPolicy, `${path}.pullPolicy`, ["Always", "IfNotPresent", "Never"]),
};
