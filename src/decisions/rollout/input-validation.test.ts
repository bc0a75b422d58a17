import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { podReplacementPolicyAnnotation } from "../../api/workload-settings.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { planRollout } from "./plan-rollout.ts";

function warnings(
  value: string,
  traits: Parameters<typeof rolloutState>[0] = {},
  gates = defaultFeatureGates,
) {
  const annotations = { [podReplacementPolicyAnnotation]: value };
  const { actions } = planRollout(rolloutState({ generation: 2, annotations, ...traits }, [], { gates }));
  return actions.flatMap((action) =>
    action.kind === "record-event" && action.event.reason === "InvalidPodReplacementPolicy"
      ? [action.event.message]
      : [],
  );
}

test("a misspelt policy annotation is reported", () => {
  expect(warnings("TerminationCompleted")).toEqual([
    'Annotation trimtab.dev/pod-replacement-policy is "TerminationCompleted", which is neither "TerminationStarted" nor "TerminationComplete"; the Deployment has no pod replacement policy',
  ]);
  expect(warnings("")).toHaveLength(1);
});

test("a long one is cut short", () => {
  expect(warnings("[".repeat(100_000))[0]?.length).toBeLessThan(300);
});

test.for([
  { name: "that is valid", value: "TerminationComplete" },
  {
    name: "that was reported for this generation",
    value: "Never",
    traits: { status: { observedGeneration: 2 } },
  },
  { name: "that the field overrides", value: "Never", traits: { policy: "TerminationComplete" } },
  {
    name: "that a gate disables",
    value: "Never",
    gates: { ...defaultFeatureGates, DeploymentPodReplacementPolicy: false },
  },
] as const)("a policy annotation $name is not reported", ({ value, ...row }) => {
  const traits = "traits" in row ? row.traits : {};
  expect(warnings(value, traits, "gates" in row ? row.gates : defaultFeatureGates)).toEqual([]);
});
