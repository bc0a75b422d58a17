// Whole clusters in virtual time: the published subpath `trimtab/simulation`.

export {
  type StabilityOptions,
  startSimulatedCluster,
  type SimulatedCluster,
  type SimulatedClusterOptions,
} from "./simulated-cluster.ts";
export type { Entry } from "./recording/entry.ts";
export { readRecording, Recording } from "./recording/recording.ts";

// What can go wrong in one, and what must not.
export { runTrial, type TrialOptions, type TrialResult } from "./run-trial.ts";
export { type ScenarioRun, runSeeds, type RunSeedsOptions, type SeedReport } from "./run-seeds.ts";
export type { UserAction, User, Scenario } from "./scenarios/scenario.ts";
export { scenarios } from "./scenarios/scenarios.ts";
export type { Invariant } from "./invariants/invariant.ts";
export { invariants } from "./invariants/invariants.ts";
export { type Interceptor, interceptClient } from "../machinery/client/intercept-client.ts";
