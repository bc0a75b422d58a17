import { expect, test } from "vitest";
import type { RolloutRecord } from "../../src/decisions/explain/rollout-record.ts";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import { decidedWorkloads, decisionEntries, searchEntries } from "./decision-entries.ts";

interface Pass {
  readonly at: number;
  readonly of?: string;
  /** The ReplicaSet of the new revision; absent: it is created by this pass. */
  readonly revision?: string;
  readonly available?: number;
}

function pass({ at, of = "web", revision, available = 0 }: Pass): RolloutRecord {
  return {
    time: `2026-01-01T00:00:${String(at).padStart(2, "0")}.000000Z`,
    workload: { kind: "Deployment", namespace: "default", name: of, uid: `uid-${of}` },
    pass: "rolling-update",
    actions: revision === undefined ? ["create-replica-set"] : [],
    gates: defaultFeatureGates,
    revisions: [
      {
        role: "new",
        size: 20,
        limit: { kind: "availability", available, desired: 20 },
        reason: `has ${available} of 20 available`,
        ...(revision === undefined ? {} : { replicaSet: revision }),
      } as never,
    ],
  };
}

const entriesOf = (rollouts: readonly RolloutRecord[]) =>
  decisionEntries({ rollouts, removals: [], placements: [] });

test("a rollout is one entry with its steps, the newest first", () => {
  const [entry, ...others] = entriesOf([
    pass({ at: 1 }),
    pass({ at: 2, revision: "web-1", available: 3 }),
    pass({ at: 3, revision: "web-1", available: 20 }),
  ]);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    time: "2026-01-01T00:00:03.000000Z",
    sentence: "web-1 has 20 of 20 available",
    steps: [
      { sentence: "web-1 has 20 of 20 available" },
      { sentence: "web-1 has 3 of 20 available" },
      { sentence: "creates a ReplicaSet; the new revision has 0 of 20 available" },
    ],
  });
});

test("the entry of a rollout keeps its name while the rollout goes on, so that it stays open", () => {
  const passes = [pass({ at: 1 }), pass({ at: 2, revision: "web-1" }), pass({ at: 3, revision: "web-1" })];
  const ids = [1, 2, 3].map((count) => entriesOf(passes.slice(0, count)).map(({ id }) => id));
  expect(ids[1]).toEqual(ids[0]);
  expect(ids[2]).toEqual(ids[0]);
});

test("each new revision, and each Deployment, is a rollout of its own", () => {
  const entries = entriesOf([
    pass({ at: 1 }),
    pass({ at: 2, revision: "web-1" }),
    pass({ at: 3, of: "api" }),
    pass({ at: 4 }),
    pass({ at: 5, revision: "web-2" }),
    pass({ at: 6, of: "api", revision: "api-1" }),
    // Undone: no ReplicaSet has to be created for a revision that has one.
    pass({ at: 7, revision: "web-1" }),
  ]);
  const said = entries.map((entry) => [
    entry.about.name,
    entry.time.slice(17, 19),
    entry.kind === "rollout" && entry.steps.length,
  ]);
  expect(said).toEqual([
    ["web", "07", 1],
    ["api", "06", 2],
    ["web", "05", 2],
    ["web", "02", 2],
  ]);
});

test("decisions are found by kind, workload and words, also by those of a step", () => {
  const entries = entriesOf([
    pass({ at: 1 }),
    pass({ at: 2, revision: "web-1", available: 20 }),
    pass({ at: 3, of: "api", revision: "api-1" }),
  ]);
  const found = (filter: Partial<Parameters<typeof searchEntries>[1]>) =>
    searchEntries(entries, { kind: "", of: "", search: "", ...filter }).map(({ about }) => about.name);
  expect(decidedWorkloads(entries)).toEqual(["default/api", "default/web"]);
  expect(found({})).toEqual(["api", "web"]);
  expect(found({ of: "default/web" })).toEqual(["web"]);
  expect(found({ kind: "removal" })).toEqual([]);
  expect(found({ search: "creates web" })).toEqual(["web"]);
});
