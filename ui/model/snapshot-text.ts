import type { Instant } from "../../src/api/time.ts";
import type { ClusterObjects } from "../../src/decisions/explain/cluster-objects.ts";
import { anonymise } from "../../src/simulation/snapshot/anonymise.ts";
import { takeSnapshot, writeSnapshot } from "../../src/simulation/snapshot/snapshot.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";

export interface SnapshotTextOptions {
  readonly now: Instant;
  /** The unpredictable text that other names are derived from; absent: names, label values and images stay. */
  readonly secret?: string;
}

/** A moment of the cluster as the file that `trimtab snapshot` writes. */
export function snapshotText(objects: ClusterObjects, { now, secret }: SnapshotTextOptions): string {
  const snapshot = takeSnapshot(objects, { now });
  return writeSnapshot(secret === undefined ? snapshot : anonymise(snapshot, seededRandom(secret)), "yaml");
}
