// Whole clusters in virtual time: the published subpath `trimtab/simulation`.

export {
  startSimulatedCluster,
  type SimulatedCluster,
  type SimulatedClusterOptions,
} from "./simulated-cluster.ts";
export type { Entry } from "./recording/recording.ts";
export { readRecording, Recording } from "./recording/recording.ts";

// Scenario files: what happens in a cluster, and what has to hold.
export { readScenario } from "./scenario-files/read-scenario.ts";
export type { ScenarioDocument } from "./scenario-files/scenario-document.ts";
export { runScenario, type RunScenarioOptions } from "./scenario-run/run-scenario.ts";
export type { ScenarioResult } from "./scenario-run/scenario-result.ts";

// Snapshots of clusters, and what comes of changes to them.
export { snapshotOfCluster } from "./snapshot/snapshot.ts";
export type { Snapshot } from "./snapshot/snapshot.ts";
export { readSnapshot } from "./snapshot/read-snapshot.ts";
export { writeSnapshot } from "./snapshot/snapshot.ts";
export { anonymise } from "./snapshot/anonymise.ts";
export { runWhatIf, type WhatIfOptions } from "./what-if/run-what-if.ts";
export type { WhatIfReport } from "./what-if/what-if-report.ts";
export { describeWhatIf } from "./what-if/what-if-text.ts";

export { type Interceptor, interceptClient } from "../machinery/client/intercept-client.ts";
