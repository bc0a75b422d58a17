import { rolloutScenarios } from "./scenarios/scenarios.ts";
import { perTier } from "../tier.ts";
import { describeRuns } from "./describe-runs.ts";

describeRuns(rolloutScenarios, perTier({ unit: { first: 0, count: 50 }, full: { first: 0, count: 500 } }));
