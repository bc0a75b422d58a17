import { jobScenarios } from "./scenarios/scenarios.ts";
import { describeRuns } from "./describe-runs.ts";

describeRuns(jobScenarios, { first: 0, count: 100 });
