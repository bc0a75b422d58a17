import { faultScenarios, rolloutScenarios } from "./scenarios/scenarios.ts";
import { describeRuns } from "./describe-runs.ts";

describeRuns([...faultScenarios, ...rolloutScenarios], {
  first: 1000,
  count: 30,
  gate: "TopologyAwareScaleDown",
});
