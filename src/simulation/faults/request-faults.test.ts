import { expect, onTestFinished, test } from "vitest";
import { namespaces } from "../../api/resources.ts";
import { interceptClient } from "../../machinery/client/intercept-client.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { testCluster } from "../../testing/test-cluster.ts";
import { injectRequestFaults, requestFaults } from "./request-faults.ts";
import { FaultSchedule } from "./fault-schedule.ts";

async function startWithFault(fault: string) {
  const { clock, client: api, store, stop } = await testCluster({ nodes: 0, components: [] });
  const injected: unknown[] = [];
  const schedule = new FaultSchedule({
    clock,
    random: seededRandom("faults"),
    probabilities: new Map([[fault, 1]]),
    injected: (_fault, what) => injected.push(what),
  });
  const known = await api.create(namespaces, { metadata: { name: "known" }, spec: {} });
  schedule.start();
  onTestFinished(async () => {
    schedule.stop();
    await stop();
  });
  return {
    clock,
    store,
    known,
    injected,
    client: interceptClient(api, injectRequestFaults(requestFaults, schedule, "kubelet")),
  };
}

test.for([
  { fault: "conflict", verb: "update", arrives: false, code: 409 },
  { fault: "conflict", verb: "create", arrives: true },
  { fault: "timeout-that-succeeded", verb: "create", arrives: true, code: 504 },
  { fault: "lost-response", verb: "create", arrives: true, message: "socket hang up" },
  { fault: "lost-request", verb: "create", arrives: false, message: "socket hang up" },
  { fault: "overload", verb: "create", arrives: false, code: 429 },
  { fault: "slow-request", verb: "create", arrives: true },
] as const)("$fault: a $verb, arrived: $arrives", async ({ fault, verb, arrives, ...failure }) => {
  const { clock, store, known, injected, client } = await startWithFault(fault);
  const before = store.revision();
  const answer =
    verb === "update"
      ? client.update(namespaces, { ...known, spec: { finalizers: ["x"] } })
      : client.create(namespaces, { metadata: { name: "new" }, spec: {} });
  const outcome = answer.then(
    () => ({}),
    (error: unknown) => error,
  );
  await clock.advance(60_000);
  expect(await outcome).toMatchObject(failure);
  expect(store.revision() !== before).toBe(arrives);
  const expected = verb === "create" && fault === "conflict" ? [] : [{ component: "kubelet", verb }];
  expect(injected).toMatchObject(expected);
});
