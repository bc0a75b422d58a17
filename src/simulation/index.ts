// Whole clusters in virtual time: the published subpath `trimtab/simulation`.

export {
  type StabilityOptions,
  startSimulatedCluster,
  type SimulatedCluster,
  type SimulatedClusterOptions,
} from "./simulated-cluster.ts";
export type { Entry } from "./recording/entry.ts";
export { readRecording, Recording } from "./recording/recording.ts";

// Scenario files: what happens in a cluster, and what has to hold.
export { type ReadScenario, readScenario } from "./scenario-files/read-scenario.ts";
export type { ScenarioDocument } from "./scenario-files/scenario-document.ts";
export { runScenario, type RunScenarioOptions } from "./scenario-run/run-scenario.ts";
export type { ScenarioResult } from "./scenario-run/scenario-result.ts";

// What can go wrong in one, and what must not.
export { runTrial, type TrialOptions, type TrialResult } from "./run-trial.ts";
export { type ScenarioRun, runSeeds, type RunSeedsOptions, type SeedReport } from "./run-seeds.ts";
export type { UserAction, User, Scenario } from "./scenarios/scenario.ts";
export { scenarios } from "./scenarios/scenarios.ts";
export type { Invariant } from "./invariants/invariant.ts";
export { invariants } from "./invariants/invariants.ts";
export { type Interceptor, interceptClient } from "../machinery/client/intercept-client.ts";
