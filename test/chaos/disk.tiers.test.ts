import { perTier } from "../tier.ts";
import { describeReplays, describeRuns } from "./describe-runs.ts";
import { diskScenarios } from "./scenarios/scenarios.ts";

describeRuns(diskScenarios, perTier({ unit: { first: 0, count: 10 }, full: { first: 10, count: 10 } }));
describeReplays(diskScenarios, perTier({ unit: { first: 0, count: 0 }, full: { first: 0, count: 20 } }));
