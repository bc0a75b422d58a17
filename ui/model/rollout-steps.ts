import type { RolloutRecord } from "../../src/decisions/explain/rollout-record.ts";

/** The passes of one rollout, the newest first: from one new revision to the next. */
export type RolloutSteps = readonly [RolloutRecord, ...RolloutRecord[]];

/** Gathers the records of rollouts, the newest first, into one group for each new revision of a Deployment. */
export function rolloutSteps(records: readonly RolloutRecord[]): readonly RolloutSteps[] {
  const groups: [RolloutRecord, ...RolloutRecord[]][] = [];
  const current = new Map<string, (typeof groups)[number]>();
  for (const record of records) {
    const { uid } = record.workload;
    const group = current.get(uid);
    if (group !== undefined && isSameRollout(group, record)) {
      group.push(record);
      continue;
    }
    const begun: (typeof groups)[number] = [record];
    groups.push(begun);
    current.set(uid, begun);
  }
  return groups;
}

/** A pass that creates the ReplicaSet cannot name it: it belongs to the rollout of the pass after it. */
function isSameRollout([newest, ...older]: RolloutSteps, record: RolloutRecord): boolean {
  const known = [newest, ...older].map(newRevision).find((name) => name !== undefined);
  const name = newRevision(record);
  const hasBegun = (older.at(-1) ?? newest).actions.includes("create-replica-set");
  return !hasBegun && (name === undefined || known === undefined || name === known);
}

function newRevision({ revisions }: RolloutRecord): string | undefined {
  return revisions.find(({ role }) => role === "new")?.replicaSet;
}
