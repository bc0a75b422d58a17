import { expect, test } from "vitest";
import { deployment } from "../testing/deployment.ts";
import { podReplacementPolicyAnnotation, podReplacementPolicyOf } from "./workload-settings.ts";

const asAnnotation = (policy: string) => ({ annotations: { [podReplacementPolicyAnnotation]: policy } });

test.for([
  { name: "is unset by default", traits: {}, want: undefined },
  { name: "comes from the field", traits: { policy: "TerminationStarted" }, want: "TerminationStarted" },
  {
    name: "comes from the annotation",
    traits: asAnnotation("TerminationComplete"),
    want: "TerminationComplete",
  },
  {
    name: "comes from the field before the annotation",
    traits: { policy: "TerminationStarted", ...asAnnotation("TerminationComplete") },
    want: "TerminationStarted",
  },
  { name: "is unset when it is unknown", traits: asAnnotation("Sometimes"), want: undefined },
] as const)("a replacement policy $name", ({ traits, want }) => {
  expect(podReplacementPolicyOf(deployment("web", traits))).toBe(want);
});
