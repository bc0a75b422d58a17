import { forbidden, invalid, required } from "../../../field-error.ts";
import type { VolumeSource } from "../../../generated/core-v1.ts";
import { dns1123SubdomainProblems } from "../../../names.ts";
import { parseQuantity } from "../../../quantity/quantity.ts";
import { each, type FieldErrors, none, requiredText, requiredOneOf, supported } from "../../field-checks.ts";
import type { Sent } from "../../sent.ts";
import { backstepProblems } from "../../value-syntax.ts";
import { validateProjected } from "./projected-volume.ts";
import { fileMode, validateFile, validateKeyToPath } from "./volume-files.ts";

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
/** One check for each source that has rules here; the others are stored as the schema allows. */
export const volumeSourceChecks: Checks = {
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
