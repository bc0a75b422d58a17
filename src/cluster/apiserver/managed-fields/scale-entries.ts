import { childOf, difference, type FieldSet, isEmptySet, leaf } from "./field-set.ts";
import { type FieldsEntry, isSameManager, withFields } from "./fields-entry.ts";

/** The path of the replicas, in a Scale and in the workloads that have one. */
const replicas: FieldSet = { "f:spec": { "f:replicas": leaf } };
const scaleVersion = "autoscaling/v1";

/** Returns the entries of a Scale: those of the managers that own the replicas of the workload. */
export function scaleEntries(entries: readonly FieldsEntry[]): readonly FieldsEntry[] {
  return entries
    .filter(ownsReplicas)
    .map((entry) => ({ ...withFields(entry, replicas), apiVersion: scaleVersion }));
}

/** Returns the entries of the workload after an apply of its Scale. */
export function workloadEntries(
  entries: readonly FieldsEntry[],
  scale: readonly FieldsEntry[],
  apiVersion: string,
): readonly FieldsEntry[] {
  const isOf = (entry: FieldsEntry, owner: FieldsEntry) =>
    isSameManager({ ...entry, apiVersion: scaleVersion }, owner);
  const owners = scale.filter(ownsReplicas);
  const kept = entries.map((entry) =>
    !ownsReplicas(entry) || owners.some((owner) => isOf(entry, owner))
      ? entry
      : withFields(entry, difference(entry.fieldsV1, replicas)),
  );
  const added = owners.filter((owner) => !entries.some((entry) => ownsReplicas(entry) && isOf(entry, owner)));
  return [...kept, ...added.map((owner) => ({ ...withFields(owner, replicas), apiVersion }))];
}

function ownsReplicas({ fieldsV1 }: FieldsEntry): boolean {
  const spec = childOf(fieldsV1, "f:spec");
  return spec !== undefined && !isEmptySet(spec) && childOf(spec, "f:replicas") !== undefined;
}
