// The entry of a thread of `runScenarioSeeds`: a task comes in, an outcome goes out.
import { parentPort } from "node:worker_threads";
import { runTask } from "./run-scenario.ts";
import type { SeedTask } from "./run-scenario-seeds.ts";

parentPort?.on("message", (task: SeedTask) => {
  void runTask(task).then((outcome) => parentPort?.postMessage(outcome));
});
