import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { pod } from "../../testing/pod.ts";
import { now } from "./any-pods.cases.ts";
import { removalProfiles } from "./removal-profiles.ts";

const facts = { now, gates: defaultFeatureGates, related: () => 0 };

test("profile trimtab leaves nothing open where kubernetes-1.36 does", () => {
  const pods = [pod("a"), pod("b")];
  const ours = removalProfiles.trimtab.choose(pods, 1, facts);
  expect([ours.victims.length, ours.either.length, ours.survivors.length]).toEqual([1, 0, 1]);
  const theirs = removalProfiles["kubernetes-1.36"].choose(pods, 1, facts);
  expect([theirs.victims.length, theirs.either.length, theirs.survivors.length]).toEqual([0, 2, 0]);
});

test("profile kubernetes-1.36 has the rules of ours but the label, the picker, the spread, consolidation, costs of programs and the UID", () => {
  const theirs = new Set(removalProfiles["kubernetes-1.36"].rules);
  const missing = removalProfiles.trimtab.rules.filter((rule) => !theirs.has(rule)).map(({ name }) => name);
  expect([...new Set(missing)]).toEqual([
    "preferred",
    "picker",
    "spread",
    "consolidate",
    "machine-cost",
    "uid",
  ]);
});
