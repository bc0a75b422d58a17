// Whole clusters in virtual time: the published subpath `trimtab/simulation`.

export { type RestOptions, startWorld, type World, type WorldOptions } from "./world.ts";
export type { Entry } from "./recording/entry.ts";
export { readRecording, Recording } from "./recording/recording.ts";

// What can go wrong in one, and what must not.
export { runTrial, type TrialOptions, type TrialResult } from "./trial.ts";
export { type Assignment, runSeeds, type RunSeedsOptions, type SeedReport } from "./run-seeds.ts";
export type { Deed, People, Scenario } from "./scenarios/scenario.ts";
export { scenarios } from "./scenarios/scenarios.ts";
export type { Invariant } from "./invariants/invariant.ts";
export { invariants } from "./invariants/invariants.ts";
export { type Interceptor, intercept } from "./faults/intercept.ts";
