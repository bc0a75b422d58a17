import { autoscalingScenarios } from "./scenarios/scenarios.ts";
import { describeRuns } from "./describe-runs.ts";

describeRuns(autoscalingScenarios, { first: 0, count: 50 });
