import type { Json, JsonObject } from "../../api/json.ts";
import { defaultClassAnnotation } from "../../api/volume-names.ts";
import { at, listAt, mapAt, textAt } from "../selection/kube-object.ts";
import {
  amountText,
  boolText,
  type Lines,
  metadataLines,
  nameLines,
  optional,
  pairsText,
  sinceText,
  describedTime,
  titled,
} from "./describe-lines.ts";
import { persistentSourceLines } from "./describe-volumes.ts";

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

/** The modes in the order that kubectl gives them. */
function modesText(modes: Json | undefined): string {
  const given = new Set((modes ?? []) as readonly string[]);
  return Object.entries(shortModes)
    .filter(([mode]) => given.has(mode))
    .map(([, short]) => short)
    .join(",");
}

function phaseLine(object: JsonObject, now: number): string {
  const deletion = at(object, "metadata", "deletionTimestamp");
  return deletion === undefined
    ? `Status:\t${textAt(object, "status", "phase")}`
    : `Status:\tTerminating (lasts ${sinceText(deletion, now)})`;
}

const finalizers = (object: JsonObject) =>
  `Finalizers:\t[${((at(object, "metadata", "finalizers") ?? []) as readonly string[]).join(" ")}]`;

/** Describes a claim and the Pods that use it. */
export function claimLines(claim: JsonObject, pods: readonly string[], now: number): Lines {
  const isBound = textAt(claim, "spec", "volumeName") !== "";
  const source = at(claim, "spec", "dataSource");
  return [
    ...nameLines(claim),
    `StorageClass:\t${textAt(claim, "spec", "storageClassName")}`,
    phaseLine(claim, now),
    `Volume:\t${textAt(claim, "spec", "volumeName")}`,
    ...metadataLines(claim),
    finalizers(claim),
    `Capacity:\t${isBound ? amountText(at(claim, "status", "capacity", "storage")) : ""}`,
    `Access Modes:\t${isBound ? modesText(at(claim, "status", "accessModes")) : ""}`,
    ...optional("VolumeMode", at(claim, "spec", "volumeMode")),
    ...(source === undefined
      ? []
      : [
          "DataSource:",
          ...optional("  APIGroup", at(source, "apiGroup")),
          `  Kind:\t${textAt(source, "kind")}`,
          `  Name:\t${textAt(source, "name")}`,
        ]),
    ...titled("Used By", pods),
    ...claimConditions(listAt(claim, "status", "conditions")),
  ];
}

function claimConditions(conditions: readonly JsonObject[]): Lines {
  if (conditions.length === 0) return [];
  return [
    "Conditions:",
    "  Type\tStatus\tLastProbeTime\tLastTransitionTime\tReason\tMessage",
    "  ----\t------\t-----------------\t------------------\t------\t-------",
    ...conditions.map(
      (each) =>
        `  ${textAt(each, "type")} \t${textAt(each, "status")} \t${describedTime(each["lastProbeTime"])} \t${describedTime(each["lastTransitionTime"])} \t${textAt(each, "reason")} \t${textAt(each, "message")}`,
    ),
  ];
}

/** Describes a PersistentVolume. */
export function volumeObjectLines(volume: JsonObject, now: number): Lines {
  const claim = at(volume, "spec", "claimRef");
  return [
    `Name:\t${textAt(volume, "metadata", "name")}`,
    ...metadataLines(volume),
    finalizers(volume),
    `StorageClass:\t${textAt(volume, "spec", "storageClassName")}`,
    phaseLine(volume, now),
    `Claim:\t${claim === undefined ? "" : `${textAt(claim, "namespace")}/${textAt(claim, "name")}`}`,
    `Reclaim Policy:\t${textAt(volume, "spec", "persistentVolumeReclaimPolicy")}`,
    `Access Modes:\t${modesText(at(volume, "spec", "accessModes"))}`,
    ...optional("VolumeMode", at(volume, "spec", "volumeMode")),
    `Capacity:\t${amountText(at(volume, "spec", "capacity", "storage"))}`,
    ...affinityLines(at(volume, "spec", "nodeAffinity", "required")),
    `Message:\t${textAt(volume, "status", "message")}`,
    "Source:",
    ...persistentSourceLines(at(volume, "spec")),
  ];
}

function affinityLines(required: Json | undefined): Lines {
  if (required === undefined) return ["Node Affinity:\t<none>"];
  const terms = listAt(required, "nodeSelectorTerms");
  if (terms.length === 0) return ["Node Affinity:\t", "  Required Terms:\t<none>"];
  return ["Node Affinity:\t", "  Required Terms:\t", ...terms.flatMap(termLines)];
}

function termLines(term: JsonObject, index: number): Lines {
  const expressions = listAt(term, "matchExpressions").map((each) => {
    const values = (each["values"] ?? []) as readonly string[];
    const suffix = values.length === 0 ? "" : ` [${values.join(", ")}]`;
    return `${textAt(each, "key")} ${textAt(each, "operator").toLowerCase()}${suffix}`;
  });
  return titled(`Term ${index}`, expressions, "    ");
}

/** Describes a StorageClass. */
export function storageClassLines(storageClass: JsonObject): Lines {
  const annotations = mapAt(storageClass, "metadata", "annotations");
  const isDefault = annotations[defaultClassAnnotation] === "true";
  const expansion = storageClass["allowVolumeExpansion"];
  const options = (storageClass["mountOptions"] ?? []) as readonly string[];
  return [
    `Name:\t${textAt(storageClass, "metadata", "name")}`,
    `IsDefaultClass:\t${isDefault ? "Yes" : "No"}`,
    `Annotations:\t${pairsText(annotations)}`,
    `Provisioner:\t${textAt(storageClass, "provisioner")}`,
    `Parameters:\t${pairsText(mapAt(storageClass, "parameters"))}`,
    `AllowVolumeExpansion:\t${expansion === undefined ? "<unset>" : boolText(expansion)}`,
    ...(options.length === 0
      ? ["MountOptions:\t<none>"]
      : ["MountOptions:", ...options.map((option) => `  ${option}`)]),
    ...optional("ReclaimPolicy", storageClass["reclaimPolicy"]),
    ...optional("VolumeBindingMode", storageClass["volumeBindingMode"]),
  ];
}
