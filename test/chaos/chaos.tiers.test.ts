import { faultScenarios } from "./scenarios/scenarios.ts";
import { perTier } from "../tier.ts";
import { describeRuns } from "./describe-runs.ts";

describeRuns(faultScenarios, perTier({ unit: { first: 0, count: 50 }, full: { first: 50, count: 500 } }));
