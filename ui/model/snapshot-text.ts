import type { Instant } from "../../src/api/time.ts";
import type { ClusterObjects } from "../../src/decisions/explain/cluster-objects.ts";
import type { ClusterFacts } from "../../src/page/contract.ts";
import { anonymise } from "../../src/simulation/snapshot/anonymise.ts";
import { type Snapshot, takeSnapshot, writeSnapshot } from "../../src/simulation/snapshot/snapshot.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";

/** A moment of a cluster. */
export interface Moment {
  readonly objects: ClusterObjects;
  /** By the clock of the cluster. */
  readonly now: Instant;
  /** What says whose controllers decide: the page has no managed fields, which show it otherwise. */
  readonly facts: Pick<ClusterFacts, "mode" | "removalProfile" | "namespace"> | undefined;
}

/** A moment as `trimtab snapshot` takes it; the secret is the unpredictable text that other names are derived from. */
export function momentSnapshot({ objects, now, facts }: Moment, secret?: string): Snapshot {
  const taken = takeSnapshot(objects, { now, namespace: facts?.namespace });
  const snapshot = { ...taken, controllers: controllersOf(facts) ?? taken.controllers };
  return secret === undefined ? snapshot : anonymise(snapshot, seededRandom(secret));
}

function controllersOf(facts: Moment["facts"]): Snapshot["controllers"] {
  if (facts?.removalProfile !== "trimtab") return undefined;
  return facts.mode === "embedded" ? "embedded" : "external";
}

/** A moment as a file. */
export function snapshotText(moment: Moment, secret?: string): string {
  return writeSnapshot(momentSnapshot(moment, secret), "yaml");
}
