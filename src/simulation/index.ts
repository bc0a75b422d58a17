// Whole clusters in virtual time: the published subpath `trimtab/simulation`.

export * from "./core/index.ts";

// Scenario files: what happens in a cluster, and what has to hold.
export { readScenario } from "./scenario-files/read-scenario.ts";
