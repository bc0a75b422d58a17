import { daemonScenarios } from "./scenarios/scenarios.ts";
import { describeRuns } from "./describe-runs.ts";

describeRuns(daemonScenarios, { first: 0, count: 40 });
