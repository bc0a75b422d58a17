import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { replicaSet, type ReplicaSetTraits } from "../../testing/replica-set.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { revisionsWithNew } from "./revisions.ts";
import { scaleAndMark } from "./scale-replica-set.ts";

/** Size, desired, max and before, as a ReplicaSet is written when 12 replicas with a surge of 3 are wanted. */
function written(traits: ReplicaSetTraits, to: { size: number; partial?: boolean }, isOn = true) {
  const gates = { ...defaultFeatureGates, DeploymentPodReplacementPolicy: isOn };
  const marked = replicaSet("web-1", { ...traits, annotations: { team: "shop" } });
  const state = rolloutState({ replicas: 12, maxSurge: 3, policy: "TerminationComplete" }, [marked], {
    gates,
  });
  const [action] = scaleAndMark(marked, to, revisionsWithNew(state, marked));
  if (action?.kind !== "update-replica-set") return "nothing";
  const { metadata, spec } = action.replicaSet;
  const { team, "deployment.kubernetes.io/revision": _, ...marks } = metadata.annotations ?? {};
  expect(team, "the annotations of others").toBe("shop");
  return [
    spec.replicas,
    ...["desired-replicas", "max-replicas", "replicaset-replicas-before-scale"].map(
      (name) => marks[`deployment.kubernetes.io/${name}`] ?? "–",
    ),
  ].join(" ");
}

const ten = { size: 10, desired: 10, max: 13 };

test.for<{
  name: string;
  traits: ReplicaSetTraits;
  to: { size: number; partial?: boolean };
  isOn?: boolean;
  want: string;
}>([
  {
    name: "a scale that begins to wait remembers from where",
    traits: ten,
    to: { size: 11, partial: true },
    want: "11 10 13 10",
  },
  {
    name: "one that can add nothing remembers, too",
    traits: ten,
    to: { size: 10, partial: true },
    want: "10 10 13 10",
  },
  {
    name: "one that goes on waiting keeps what it remembers",
    traits: { ...ten, size: 11, before: 10 },
    to: { size: 12, partial: true },
    want: "12 10 13 10",
  },
  {
    name: "one that waits without a change writes nothing",
    traits: { ...ten, size: 11, before: 10 },
    to: { size: 11, partial: true },
    want: "nothing",
  },
  {
    name: "one that waits replaces what cannot be read",
    traits: { size: 10, desired: "x", max: -1, before: "many" },
    to: { size: 11, partial: true },
    want: "11 12 15 10",
  },
  {
    name: "one that ends forgets",
    traits: { ...ten, size: 11, before: 10 },
    to: { size: 12 },
    want: "12 12 15 –",
  },
  {
    name: "one that ended before forgets without a change of size",
    traits: { size: 12, desired: 12, max: 15, before: 10 },
    to: { size: 12 },
    want: "12 12 15 –",
  },
  {
    name: "one that never waited brings the record up to date",
    traits: ten,
    to: { size: 12 },
    want: "12 12 15 –",
  },
  {
    name: "with the gate off what is remembered stays as it is",
    traits: { ...ten, before: 8 },
    to: { size: 12 },
    isOn: false,
    want: "12 12 15 8",
  },
  {
    name: "nothing is written where nothing is out of date",
    traits: { size: 12, desired: 12, max: 15 },
    to: { size: 12 },
    want: "nothing",
  },
])("$name", ({ traits, to, isOn, want }) => {
  expect(written(traits, to, isOn)).toBe(want);
});
