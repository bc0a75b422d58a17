import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { replicaSet, type ReplicaSetTraits } from "../../testing/replica-set.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import {
  appendToHistory,
  cleanUpHistory,
  lastRevision,
  nextRevision,
  raiseRevision,
} from "./revision-history.ts";
import { revisionsWithNew } from "./revisions.ts";

const revision = "deployment.kubernetes.io/revision";
const history = "deployment.kubernetes.io/revision-history";

function revisions(...texts: (string | undefined)[]) {
  return texts.map((text, index) => replicaSet(`web-${index}`, text === undefined ? {} : { revision: text }));
}

test.for([
  { name: "is 1 without old ReplicaSets", old: [], want: 1n },
  { name: "follows the highest", old: ["3", "7", "5"], want: 8n },
  { name: "skips what cannot be read", old: ["3", "seven", ""], want: 4n },
  { name: "counts no revision as 0", old: [undefined], want: 1n },
  { name: "ignores negative ones", old: ["-4"], want: 1n },
  { name: "is exact beyond 2^53", old: ["9007199254740993"], want: 9007199254740994n },
])("the next revision $name", ({ old, want }) => {
  expect(nextRevision(revisions(...old))).toBe(want);
});

test.for([
  { name: "is the second highest", all: ["1", "4", "3"], want: 3n },
  { name: "is the highest itself when two have it", all: ["4", "4", "1"], want: 4n },
  { name: "is 0 with only one", all: ["4"], want: 0n },
  { name: "is 0 without any", all: [], want: 0n },
])("the last revision $name", ({ all, want }) => {
  expect(lastRevision(revisions(...all))).toBe(want);
});

test.for([
  { name: "sets the first revision", before: {}, want: { [revision]: "5" } },
  { name: "keeps a higher one", before: { [revision]: "9" }, want: { [revision]: "9" } },
  { name: "keeps an equal one", before: { [revision]: "5" }, want: { [revision]: "5" } },
  {
    name: "remembers the one before",
    before: { [revision]: "2" },
    want: { [revision]: "5", [history]: "2" },
  },
  {
    name: "adds to what it remembers",
    before: { [revision]: "3", [history]: "1,2" },
    want: { [revision]: "5", [history]: "1,2,3" },
  },
  { name: "gives up on one that cannot be read", before: { [revision]: "two" }, want: undefined },
])("raiseRevision to 5 $name", ({ before, want }) => {
  expect(raiseRevision(before, 5n)).toEqual(want);
});

test.for([
  { name: "starts with one entry", before: "", add: "1", want: "1" },
  { name: "keeps two short entries within five characters", before: "1,2", add: "3", want: "1,2,3" },
  { name: "drops the oldest beyond five characters", before: "1,2,3", add: "4", want: "2,3,4" },
  { name: "drops as many as it takes", before: "1,2,3", add: "44444", want: "44444" },
  { name: "does not record what cannot fit", before: "1,2,3", add: "666666", want: "1,2,3" },
])("a history $name", ({ before, add, want }) => {
  expect(appendToHistory(before, add, 5)).toBe(want);
});

test("a history stays within 2000 characters", () => {
  const full = Array.from({ length: 400 }, (_, index) => String(1000 + index)).join(",");
  const next = appendToHistory(full, "1400");
  expect(full).toHaveLength(1999);
  expect(next).toHaveLength(1999);
  expect(next.endsWith(",1399,1400")).toBe(true);
  expect(next.startsWith("1001,")).toBe(true);
});

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
