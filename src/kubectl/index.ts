export type { KubectlIo } from "./kubectl-io.ts";
export { runKubectl } from "./run-kubectl.ts";
