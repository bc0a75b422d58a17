import { describeRuns } from "./describe-runs.ts";
import { deletionScenarios } from "./scenarios/scenarios.ts";

describeRuns(deletionScenarios, { first: 0, count: 20 });
