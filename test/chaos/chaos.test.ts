import { faultScenarios, rolloutScenarios } from "../../src/simulation/scenarios/scenarios.ts";
import { describeRuns } from "./chaos.contract.ts";

describeRuns(faultScenarios, { first: 0, count: 50 });
describeRuns(rolloutScenarios, { first: 0, count: 50 });
