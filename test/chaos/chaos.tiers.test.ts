import { faultScenarios, rolloutScenarios } from "../../src/simulation/scenarios/scenarios.ts";
import { perTier } from "../tier.ts";
import { describeReplays, describeRuns } from "./describe-runs.ts";

describeRuns(faultScenarios, perTier({ unit: { first: 0, count: 50 }, full: { first: 50, count: 500 } }));
describeRuns(rolloutScenarios, perTier({ unit: { first: 0, count: 50 }, full: { first: 0, count: 500 } }));
// `run-trial.test.ts` replays one run of every scenario in the unit tier.
describeReplays(rolloutScenarios, perTier({ unit: { first: 0, count: 0 }, full: { first: 0, count: 500 } }));
