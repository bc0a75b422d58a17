import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { replicaSet, type ReplicaSetTraits, rolloutState } from "../../testing/index.ts";
import { revisionsWithNew } from "./fleet.ts";
import { cleanUpHistory } from "./history-cleanup.ts";

interface Situation {
  readonly limit: number | null;
  /** Old ReplicaSets from the oldest on; idle unless they say otherwise. */
  readonly old: readonly ReplicaSetTraits[];
  readonly gates?: Partial<typeof defaultFeatureGates>;
}

function deleted({ limit, old, gates }: Situation): readonly string[] {
  const replicaSets = old.map((traits, index) =>
    replicaSet(`rs-${index + 1}`, {
      size: 0,
      createdAt: `2026-01-${String(index + 1).padStart(2, "0")}T00:00:00Z`,
      ...traits,
    }),
  );
  const state = rolloutState(
    limit === null ? {} : { revisionHistoryLimit: limit },
    replicaSets.toReversed(),
    {
      gates: { ...defaultFeatureGates, ...gates },
    },
  );
  const { revisionHistoryLimit: _, ...spec } = state.deployment.spec;
  const unlimited = limit === null ? { ...state, deployment: { ...state.deployment, spec } } : state;
  return cleanUpHistory(revisionsWithNew(unlimited, undefined)).flatMap((action) =>
    action.kind === "delete-replica-set" ? [action.replicaSet.metadata.name] : [],
  );
}

test.for<Situation & { name: string; want: readonly string[] }>([
  { name: "keeps as many as the limit", limit: 1, old: [{}, {}, {}], want: ["rs-1", "rs-2"] },
  { name: "keeps none at a limit of 0", limit: 0, old: [{}, {}], want: ["rs-1", "rs-2"] },
  { name: "keeps all within the limit", limit: 10, old: [{}, {}], want: [] },
  { name: "keeps all without a limit", limit: null, old: [{}, {}], want: [] },
  { name: "keeps all when the limit is the largest number", limit: 2147483647, old: [{}, {}], want: [] },
  { name: "reads a negative limit as 0", limit: -1, old: [{}], want: ["rs-1"] },
  {
    name: "goes by revision before age",
    limit: 1,
    old: [{ revision: 5 }, { revision: 3 }, { revision: 4 }],
    want: ["rs-2", "rs-3"],
  },
  {
    name: "compares revisions as numbers",
    limit: 1,
    old: [{ revision: 10 }, { revision: 9 }],
    want: ["rs-2"],
  },
  { name: "takes one without a revision first", limit: 1, old: [{ revision: 1 }, {}], want: ["rs-2"] },
  {
    name: "goes by age between equal revisions",
    limit: 1,
    old: [{ revision: 3 }, { revision: 3 }],
    want: ["rs-1"],
  },
  {
    name: "goes by age where a revision cannot be read",
    limit: 1,
    old: [{ revision: "x" }, { revision: 1 }],
    want: ["rs-1"],
  },
  { name: "keeps one that is to have Pods", limit: 0, old: [{ size: 1, pods: 0 }], want: [] },
  { name: "keeps one that has Pods", limit: 0, old: [{ pods: 1 }], want: [] },
  {
    name: "keeps one that has not reported on its size",
    limit: 0,
    old: [{ generation: 2, observedGeneration: 1 }],
    want: [],
  },
  {
    name: "does not count one that is being deleted",
    limit: 1,
    old: [{ deletedAt: "2026-01-01T00:00:00Z" }, {}],
    want: [],
  },
  { name: "lets one that must stay use up a place", limit: 1, old: [{ pods: 1 }, {}, {}], want: ["rs-2"] },
  { name: "keeps one with terminating Pods", limit: 0, old: [{ terminating: 1 }], want: [] },
  { name: "keeps one that does not say", limit: 0, old: [{ terminating: null }], want: [] },
  {
    name: "minds no terminating Pods with the gate off",
    limit: 0,
    old: [{ terminating: 1 }],
    gates: { DeploymentPodReplacementPolicy: false },
    want: ["rs-1"],
  },
])("cleaning up $name", ({ want, ...situation }) => {
  expect(deleted(situation)).toEqual(want);
});
