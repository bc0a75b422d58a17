import { afterAll, afterEach, beforeAll, type TestContext } from "vitest";
import { newestKubectl } from "../kubectl/kubectls.ts";
import { type OperatorCluster, type OperatorSetup, startOperatorCluster } from "./operator-cluster.ts";
import { buildOperator, type OperatorModule } from "./operator-module.ts";

/** Long enough to build everything from nothing on a busy machine. */
const buildTimeoutMs = 1_800_000;

/** Builds and starts an operator for the tests of a block; a test skips itself where it cannot be had. */
export function useOperator(
  operator: OperatorModule,
  setup: OperatorSetup,
): (context: TestContext) => OperatorCluster {
  let running: OperatorCluster | undefined;
  let missing = "";
  beforeAll(async () => {
    const [kubectl] = newestKubectl();
    const built =
      kubectl === undefined
        ? { missing: "skipped: no kubectl renders the manifests" }
        : await buildOperator(operator, kubectl);
    if ("missing" in built) ({ missing } = built);
    else running = await startOperatorCluster(built, setup);
  }, buildTimeoutMs);
  afterAll(() => running?.stop());
  afterEach(({ task }) => {
    if (task.result?.state === "fail") process.stdout.write(running?.output().slice(-5000) ?? "");
  });
  return ({ skip }) => running ?? skip(missing);
}
