import { expect, onTestFinished, test } from "vitest";
import { namespaces } from "../../api/resources.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { FakeApi } from "../../testing/fake-api.ts";
import { interceptClient } from "../../machinery/client/intercept-client.ts";
import { injectRequestFaults, requestFaults } from "./request-faults.ts";
import { FaultSchedule } from "./fault-schedule.ts";

async function startWithFault(fault: string) {
  const clock = new VirtualClock();
  const injected: unknown[] = [];
  const schedule = new FaultSchedule({
    clock,
    random: seededRandom("faults"),
    probabilities: new Map([[fault, 1]]),
    injected: (_fault, what) => injected.push(what),
  });
  const api = new FakeApi();
  const known = await api.create(namespaces, { metadata: { name: "known" }, spec: {} });
  schedule.start();
  onTestFinished(() => schedule.stop());
  return {
    clock,
    api,
    known,
    injected,
    client: interceptClient(api, injectRequestFaults(requestFaults, schedule, "part")),
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
  const { clock, api, known, injected, client } = await startWithFault(fault);
  const before = api.resourceVersion;
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
  expect(api.resourceVersion !== before).toBe(arrives);
  const strikes = verb === "create" && fault === "conflict" ? [] : [{ component: "part", verb }];
  expect(injected).toMatchObject(strikes);
});
