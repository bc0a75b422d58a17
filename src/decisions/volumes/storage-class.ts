import type { TopologySelectorTerm } from "../../api/generated/core-v1.ts";
import type { StorageClass } from "../../api/generated/storage-v1.ts";
import type { Labels } from "../../api/labels/label-selector.ts";
import { defaultClassAnnotation, noProvisioner } from "../../api/volume-names.ts";
import { itemsOf, labelOf, stringOf, textsOf } from "../placement/objects/reading.ts";

/** The class of claims that name none: of several defaults the newest, then by name. */
export function defaultClassOf(classes: Iterable<StorageClass>): StorageClass | undefined {
  const defaults = [...classes].filter(isDefaultClass);
  return defaults.sort(
    (a, b) => compareText(createdAt(b), createdAt(a)) || compareText(nameOf(a), nameOf(b)),
  )[0];
}

function isDefaultClass({ metadata }: StorageClass): boolean {
  return labelOf(metadata?.annotations, defaultClassAnnotation) === "true";
}

const createdAt = ({ metadata }: StorageClass) => stringOf(metadata?.creationTimestamp);
const nameOf = ({ metadata }: StorageClass) => stringOf(metadata?.name);
const compareText = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);

/** Whether claims of a class get their volume only once their first Pod has a node. */
export function waitsForConsumer(storageClass: StorageClass | undefined): boolean {
  return storageClass?.volumeBindingMode === "WaitForFirstConsumer";
}

/** Whether volumes of a class can be made on demand. */
export function isProvisioned({ provisioner }: StorageClass): boolean {
  return stringOf(provisioner) !== "" && provisioner !== noProvisioner;
}

/** Whether volumes of a class may be made where a node with these labels is. */
export function allowsTopology({ allowedTopologies }: StorageClass, labels: Labels): boolean {
  const terms = itemsOf(allowedTopologies);
  return terms.length === 0 || terms.some((term) => matchesTerm(term, labels));
}

function matchesTerm({ matchLabelExpressions }: TopologySelectorTerm, labels: Labels): boolean {
  return itemsOf(matchLabelExpressions).every(({ key, values }) => {
    const value = labelOf(labels, stringOf(key));
    return value !== undefined && textsOf(values).includes(value);
  });
}
