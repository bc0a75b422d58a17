import { statefulScenarios } from "./scenarios/scenarios.ts";
import { describeRuns } from "./describe-runs.ts";

describeRuns(statefulScenarios, { first: 0, count: 30 });
