// The entry of a thread of `runSeeds`: a seed comes in, a report goes out.
import { parentPort } from "node:worker_threads";
import { runAssignment } from "./run-assignment.ts";
import type { Assignment } from "./run-seeds.ts";

parentPort?.on("message", (assignment: Assignment) => {
  void runAssignment(assignment).then((report) => parentPort?.postMessage(report));
});
