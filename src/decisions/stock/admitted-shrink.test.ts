import { expect, test } from "vitest";
import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { admittedLabel, admittedPatch, isUnasked } from "./admitted-shrink.ts";

function at(generation: number, size: number, admitted?: string): ReplicaSet {
  const made = replicaSet("web", { size });
  const labels = admitted === undefined ? {} : { [admittedLabel]: admitted };
  return { ...made, metadata: { ...made.metadata, generation, labels } };
}

test.for([
  { name: "a shrink that carries its generation was asked about", now: at(4, 2, "4"), isMissed: false },
  { name: "one without was not", now: at(4, 2), isMissed: true },
  { name: "one with that of an earlier shrink was not", now: at(4, 2, "3"), isMissed: true },
  { name: "growth need not be asked about", now: at(4, 9), isMissed: false },
  { name: "where all Pods go none is chosen", now: at(4, 0), isMissed: false },
  { name: "of two changes at once nothing is known", now: at(5, 2), isMissed: false },
])("$name", ({ now, isMissed }) => {
  expect(isUnasked(at(3, 5), now)).toBe(isMissed);
});

test("the patch names the generation that comes, and makes labels where there are none", () => {
  const label = { op: "add", path: "/metadata/labels/trimtab.dev~1admitted", value: "4" };
  expect(admittedPatch({ app: "web" }, 3)).toEqual([label]);
  expect(admittedPatch(undefined, 3)).toEqual([{ op: "add", path: "/metadata/labels", value: {} }, label]);
});
