import { childOf, difference, type FieldSet, isEmptySet, leaf } from "./field-set.ts";
import { type FieldsEntry, isSameManager, withFields } from "./fields-entry.ts";

/** The path of the replicas in a Scale, and in the workloads of the server's own kinds. */
const ofScale: readonly string[] = ["f:spec", "f:replicas"];
const scaleVersion = "autoscaling/v1";

/** Returns the entries of a Scale: those of the managers that own the replicas of the workload, which are at a path. */
export function scaleEntries(
  entries: readonly FieldsEntry[],
  path: readonly string[] = ofScale,
): readonly FieldsEntry[] {
  return entries
    .filter((entry) => owns(entry, path))
    .map((entry) => ({ ...withFields(entry, setOf(ofScale)), apiVersion: scaleVersion }));
}

/** Where a workload has its replicas. */
interface Workload {
  readonly apiVersion: string;
  readonly path: readonly string[];
}

/** Returns the entries of the workload after an apply of its Scale. */
export function workloadEntries(
  entries: readonly FieldsEntry[],
  scale: readonly FieldsEntry[],
  { apiVersion, path }: Workload,
): readonly FieldsEntry[] {
  const isOf = (entry: FieldsEntry, owner: FieldsEntry) =>
    isSameManager({ ...entry, apiVersion: scaleVersion }, owner);
  const owners = scale.filter((entry) => owns(entry, ofScale));
  const kept = entries.map((entry) =>
    !owns(entry, path) || owners.some((owner) => isOf(entry, owner))
      ? entry
      : withFields(entry, difference(entry.fieldsV1, setOf(path))),
  );
  const added = owners.filter((owner) => !entries.some((entry) => owns(entry, path) && isOf(entry, owner)));
  return [...kept, ...added.map((owner) => ({ ...withFields(owner, setOf(path)), apiVersion }))];
}

function owns({ fieldsV1 }: FieldsEntry, path: readonly string[]): boolean {
  let set: FieldSet | undefined = fieldsV1;
  for (const step of path) set = set === undefined || isEmptySet(set) ? undefined : childOf(set, step);
  return set !== undefined;
}

function setOf(path: readonly string[]): FieldSet {
  return path.reduceRight<FieldSet>((inner, step) => ({ [step]: inner }), leaf);
}
