export { completeKubectl } from "./complete/complete-line.ts";
export type { KubectlIo } from "./kubectl-io.ts";
export { runKubectl } from "./run-kubectl.ts";
