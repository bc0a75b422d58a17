import { expect, test } from "vitest";
import { defaultFeatureGates } from "../api/feature-gates.ts";
import { interceptClient } from "../machinery/client/intercept-client.ts";
import { silentLogger } from "../machinery/log/logger.ts";
import { seededRandom } from "../machinery/random/random.ts";
import { memoryMetrics } from "../testing/memory-metrics.ts";
import { testApi } from "../testing/test-api.ts";
import { removalEncoder } from "../decisions/explain/removal-record.ts";
import { DecisionLog } from "../machinery/diagnostics/decision-log.ts";
import { rolloutEncoder } from "../decisions/explain/rollout-record.ts";
import { runControllers } from "./run-controllers.ts";

test("when a component fails, the others stop before the error is thrown", async () => {
  const { client, clock } = testApi();
  const open = { now: 0, whenSynced: 0 };
  const counted = interceptClient(client, {
    async *watch(_call, { open: openWatch }) {
      open.now++;
      try {
        yield* openWatch();
      } finally {
        open.now--;
      }
    },
  });
  const { signal } = new AbortController();
  const synced = () => {
    open.whenSynced = open.now;
    throw new Error("not ready for this");
  };
  const running = runControllers(
    {
      client: counted,
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
  expect(open).toEqual({ now: 0, whenSynced: 6 });
});
