// Clusters in virtual time without anything of Node, for browsers and workers: the published subpath `trimtab/simulation/core`.

export {
  startSimulatedCluster,
  type SimulatedCluster,
  type SimulatedClusterOptions,
} from "../simulated-cluster.ts";
export type { Entry } from "../recording/recording.ts";
export { readRecording, Recording } from "../recording/recording.ts";

// Scenarios, from texts in memory.
export { type ReadScenario, readScenarioIn } from "../scenario-files/parse-scenario.ts";
export { type ScenarioFiles, textsInMemory } from "../scenario-files/scenario-files.ts";
export type { ScenarioDocument } from "../scenario-files/scenario-document.ts";
export { runScenario, type RunScenarioOptions } from "../scenario-run/run-scenario.ts";
export type { ScenarioResult } from "../scenario-run/scenario-result.ts";

// Snapshots of clusters, and what comes of changes to them.
export { snapshotOfCluster, type Snapshot, writeSnapshot } from "../snapshot/snapshot.ts";
export { readSnapshot } from "../snapshot/read-snapshot.ts";
export { anonymise } from "../snapshot/anonymise.ts";
export { runWhatIf, type WhatIfOptions } from "../what-if/run-what-if.ts";
export type { WhatIfReport } from "../what-if/what-if-report.ts";
export { describeWhatIf } from "../what-if/what-if-text.ts";

export { type Interceptor, interceptClient } from "../../machinery/client/intercept-client.ts";
