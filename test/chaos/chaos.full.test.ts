import { faultScenarios, rolloutScenarios } from "../../src/simulation/scenarios/scenarios.ts";
import { describeReplays, describeRuns } from "./chaos.contract.ts";

describeRuns(faultScenarios, { first: 50, count: 500 });
describeRuns(rolloutScenarios, { first: 0, count: 500 });
describeReplays(rolloutScenarios, { first: 0, count: 500 });
