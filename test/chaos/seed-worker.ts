// The entry of a thread of `runSeeds`: a seed comes in, a report goes out.
import { parentPort } from "node:worker_threads";
import { runAndReport } from "./run-and-report.ts";
import type { ScenarioRun } from "./run-seeds.ts";

parentPort?.on("message", (assignment: ScenarioRun) => {
  void runAndReport(assignment).then((report) => parentPort?.postMessage(report));
});
