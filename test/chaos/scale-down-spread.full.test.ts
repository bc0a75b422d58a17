import { faultScenarios, rolloutScenarios } from "../../src/simulation/scenarios/scenarios.ts";
import { describeRuns } from "./describe-runs.ts";

describeRuns([...faultScenarios, ...rolloutScenarios], {
  first: 1000,
  count: 30,
  gate: "TopologyAwareScaleDown",
});
