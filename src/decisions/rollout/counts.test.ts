import { expect, test } from "vitest";
import { replicaSet } from "../../testing/replica-set.ts";
import { terminatingOf, totalTerminating, withoutTerminatingCount } from "./counts.ts";

const never = { terminating: null, observedGeneration: 0 };

test.for([
  { name: "are what it reports", traits: { terminating: 3 }, want: 3 },
  { name: "are none when it reports none", traits: { terminating: 0 }, want: 0 },
  { name: "are none when it has never reported", traits: never, want: 0 },
  {
    name: "are what it reports, though it reports on nothing else yet",
    traits: { terminating: 2, observedGeneration: 0 },
    want: 2,
  },
  {
    name: "are unknown when it has reported on everything else",
    traits: { terminating: null },
    want: undefined,
  },
  { name: "are unknown when it reports nonsense", traits: { terminating: -1 }, want: undefined },
])("a ReplicaSet's terminating Pods $name", ({ traits, want }) => {
  expect(terminatingOf(replicaSet("web-1", traits))).toBe(want);
});

test("they are unknown in all as soon as one ReplicaSet keeps silent, and it is known which", () => {
  const [some, silent, fresh] = [
    replicaSet("some", { terminating: 3 }),
    replicaSet("silent", { terminating: null }),
    replicaSet("fresh", never),
  ];
  expect(totalTerminating([some, fresh])).toBe(3);
  expect(totalTerminating([some, silent, fresh])).toBeUndefined();
  expect(withoutTerminatingCount([some, silent, fresh])).toEqual([silent]);
  expect(totalTerminating([])).toBe(0);
});
