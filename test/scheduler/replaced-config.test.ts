import { expect, onTestFinished, test } from "vitest";
import { findCondition } from "../../src/api/conditions.ts";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import { pods, serviceAccounts } from "../../src/api/resources.ts";
import { interceptClient, type Interceptor } from "../../src/machinery/client/intercept-client.ts";
import type { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { runComponents } from "../../src/machinery/component/component.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import { silentMetrics } from "../../src/machinery/metrics/metrics.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { CurrentConfig } from "../../src/scheduler/configuration/current-config.ts";
import { defaultSchedulerConfig } from "../../src/scheduler/configuration/scheduler-config.ts";
import { schedulerComponent } from "../../src/scheduler/scheduler-component.ts";
import { testCluster } from "../../src/testing/test-cluster.ts";
import { podDraft } from "./fixture.ts";

const named = (schedulerName: string) => {
  const config = defaultSchedulerConfig(defaultFeatureGates);
  return { ...config, profiles: config.profiles.map((profile) => ({ ...profile, schedulerName })) };
};

/** Starts the scheduler with a profile named `before`; its requests pass the interceptor. */
async function startReplaceable(interceptorFor: (clock: VirtualClock) => Interceptor) {
  const cluster = await testCluster({ seed: "replaced", nodes: 2, components: [] });
  const { clock, client } = cluster;
  await client.create(serviceAccounts, { metadata: { name: "default", namespace: "default" } });
  const config = new CurrentConfig(named("before"));
  const ending = new AbortController();
  const environment = {
    client: interceptClient(client, interceptorFor(clock)),
    clock,
    random: seededRandom("replaced"),
    log: silentLogger,
    metrics: silentMetrics,
  };
  const running = runComponents(
    [schedulerComponent({ config, claims: "elsewhere" })],
    environment,
    ending.signal,
  );
  onTestFinished(async () => {
    ending.abort(new Error("the test is over"));
    await Promise.allSettled([running, cluster.stop()]);
  });
  return { clock, client, config };
}

test("a configuration that is replaced during a binding lets it finish, and the new one schedules from then on", async () => {
  const bound: string[] = [];
  const { clock, client, config } = await startReplaceable((virtual) => ({
    async call({ verb, name = "" }, send) {
      if (verb === "bind") await virtual.sleep(2000);
      const answer = await send();
      if (verb === "bind") bound.push(name);
      return answer;
    },
  }));
  for (const schedulerName of ["before", "after"])
    await client.create(pods, podDraft(schedulerName, { spec: { schedulerName } }));
  await clock.advance(1000);
  config.replace(named("after"));
  await clock.advance(500);
  expect(bound).toEqual([]);
  await clock.advance(10_000);
  expect(bound).toEqual(["before", "after"]);
});

test("a binding that fails while the configuration is replaced is reported before the new one tries again", async () => {
  const requests: string[] = [];
  const { clock, client, config } = await startReplaceable((virtual) => ({
    async call({ verb, name = "", subresource }, send) {
      if (name !== "pod") return send();
      if (verb === "bind" && !requests.includes("bind")) {
        requests.push("bind");
        await virtual.sleep(2000);
        throw new Error("connection reset");
      }
      if (subresource === "status") await virtual.sleep(2000);
      const answer = await send();
      requests.push(subresource ?? verb);
      return answer;
    },
  }));
  await client.create(pods, podDraft("pod", { spec: { schedulerName: "before" } }));
  await clock.advance(1000);
  config.replace(named("before"));
  await clock.advance(10_000);
  expect(requests).toEqual(["bind", "status", "bind"]);
  const { status } = await client.get(pods, { namespace: "default", name: "pod" });
  expect(findCondition(status?.conditions, "PodScheduled")?.status).toBe("True");
});
