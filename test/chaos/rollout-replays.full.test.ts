import { rolloutScenarios } from "./scenarios/scenarios.ts";
import { describeReplays } from "./describe-runs.ts";

// `run-trial.test.ts` replays one run of every scenario in the unit tier.
describeReplays(rolloutScenarios, { first: 0, count: 500 });
