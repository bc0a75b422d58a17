import { expect, test } from "vitest";
import type { PodAffinityTerm } from "../generated/core-v1.ts";
import type { Sent } from "../sent.ts";
import { mergeLabelKeys } from "./merge-label-keys.ts";

const labels = { app: "web", hash: "abc" };
const own = { key: "hash", operator: "In", values: ["abc"] };
const other = { key: "app", operator: "NotIn", values: ["web"] };

const cases: readonly {
  name: string;
  term: Sent<PodAffinityTerm>;
  want: Sent<PodAffinityTerm>["labelSelector"];
}[] = [
  {
    name: "adds to what a selector says",
    term: { labelSelector: { matchLabels: { tier: "x" } }, matchLabelKeys: ["hash"] },
    want: { matchLabels: { tier: "x" }, matchExpressions: [own] },
  },
  {
    name: "tells likeness from difference",
    term: { labelSelector: {}, matchLabelKeys: ["hash"], mismatchLabelKeys: ["app"] },
    want: { matchExpressions: [own, other] },
  },
  {
    name: "ignores labels the Pod does not have",
    term: { labelSelector: {}, matchLabelKeys: ["x"] },
    want: {},
  },
  { name: "leaves what matches nothing alone", term: { matchLabelKeys: ["hash"] }, want: undefined },
];

test.for(cases)("mergeLabelKeys $name", ({ term, want }) => {
  const terms = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  const { affinity } = mergeLabelKeys({ affinity: { podAffinity: terms, podAntiAffinity: terms } }, labels);
  const merged = [affinity?.podAffinity, affinity?.podAntiAffinity].map(
    (pods) => pods?.requiredDuringSchedulingIgnoredDuringExecution?.[0]?.labelSelector,
  );
  expect(merged).toEqual([want, want]);
});
