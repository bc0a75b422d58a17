import { unionOf } from "./field-set.ts";
import { type FieldsEntry, newEntry, withFields } from "./fields-entry.ts";

const mostUpdaters = 10;
const bucketName = "ancient-changes";

/** Merges the oldest updaters into one entry per version, so that at most ten are left where versions allow it. */
export function capUpdaters(entries: readonly FieldsEntry[]): readonly FieldsEntry[] {
  const updaters = entries.filter(({ operation }) => operation === "Update");
  if (updaters.length <= mostUpdaters) return entries;
  const buckets = new Map<string, FieldsEntry[]>();
  let count = updaters.length;
  for (const entry of updaters.toSorted(byAge)) {
    if (count <= mostUpdaters) break;
    const bucket = buckets.get(entry.apiVersion);
    // The first entry of a version has nothing to merge with.
    count -= Number(bucket !== undefined);
    if (bucket === undefined) buckets.set(entry.apiVersion, [entry]);
    else bucket.push(entry);
  }
  const full = [...buckets.values()].filter((bucket) => bucket.length > 1);
  const gone = new Set(full.flat());
  return [...entries.filter((entry) => !gone.has(entry)), ...full.map(mergedBucket)];
}

function mergedBucket(bucket: readonly FieldsEntry[]): FieldsEntry {
  const [{ apiVersion } = { apiVersion: "" }] = bucket;
  const fields = unionOf(bucket.map(({ fieldsV1 }) => fieldsV1));
  return withFields(newEntry({ manager: bucketName, apiVersion }, "Update"), fields, bucket.at(-1)?.time);
}

/** Orders entries by age; merged entries are the oldest. */
function byAge(left: FieldsEntry, right: FieldsEntry): number {
  const merged = Number(right.manager === bucketName) - Number(left.manager === bucketName);
  return merged || byText(left.time ?? "", right.time ?? "") || byText(left.manager, right.manager);
}

function byText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
