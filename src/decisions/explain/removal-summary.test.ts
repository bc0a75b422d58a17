import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { pod } from "../../testing/pod.ts";
import { chooseVictims } from "../downscale/choose-victims.ts";
import { removalSummary } from "./removal-summary.ts";

const pods = Array.from({ length: 30 }, (_, index) =>
  pod(`web-${index}`, { uid: String(100 + index), ready: index > 2 }),
);
const facts = { now: 1_772_366_400_000, gates: defaultFeatureGates, related: () => 1 };

test.for([
  { name: "few Pods need no summary", count: 10, want: undefined },
  {
    name: "of many, the rules are counted and the first Pods named",
    count: 20,
    want: "Deleting 20 of 30 pods (not-ready 3, uid 17): web-0, web-1, web-2, web-3, web-4 and 15 more",
  },
  {
    name: "no rule decides when all go",
    count: 30,
    want: "Deleting all 30 pods: web-0, web-1, web-2, web-3, web-4 and 25 more",
  },
])("$name", ({ count, want }) => {
  expect(removalSummary(chooseVictims(pods, count, facts))).toBe(want);
});
