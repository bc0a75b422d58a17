import { expect, test } from "vitest";
import { defaultFeatureGates } from "../api/feature-gates.ts";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { silentLogger } from "../machinery/log/logger.ts";
import { seededRandom } from "../machinery/random/random.ts";
import { memoryMetrics } from "../testing/memory-metrics.ts";
import { ScriptedApi } from "../testing/scripted-api.ts";
import { removalEncoder } from "../decisions/explain/removal-record.ts";
import { DecisionLog } from "../machinery/diagnostics/decision-log.ts";
import { rolloutEncoder } from "../decisions/explain/rollout-record.ts";
import { runControllers } from "./run-controllers.ts";

test("when a component fails, the others stop before the error is thrown", async () => {
  const client = new ScriptedApi();
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  let watches = 0;
  const synced = () => {
    watches = client.openWatches;
    throw new Error("not ready for this");
  };
  const running = runControllers(
    {
      client,
      clock,
      synced,
      random: seededRandom("controllers"),
      log: silentLogger,
      metrics: memoryMetrics(),
      gates: () => defaultFeatureGates,
      removals: new DecisionLog(removalEncoder),
      rollouts: new DecisionLog(rolloutEncoder),
    },
    signal,
  );
  await expect(running).rejects.toThrow("not ready for this");
  expect(watches).toBe(4);
  expect(client.openWatches).toBe(0);
});
