import { expect, test } from "vitest";
import { namespaces } from "../../api/resources.ts";
import { isGone } from "../../machinery/client/api-error.ts";
import { interceptClient } from "../../machinery/client/intercept-client.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { testCluster } from "../../testing/test-cluster.ts";
import { injectWatchFaults, watchFaults } from "./watch-faults.ts";
import { FaultSchedule } from "./fault-schedule.ts";

/** Watches three namespaces being created, and returns when each was seen and how the watch ended. */
async function watchThree(fault: string) {
  const { clock, client: api, store, stop } = await testCluster({ nodes: 0, components: [] });
  const begin = clock.now();
  const schedule = new FaultSchedule({
    clock,
    random: seededRandom("watch"),
    probabilities: new Map([[fault, 1]]),
    injected: () => undefined,
  });
  const resourceVersion = String(store.revision());
  const client = interceptClient(
    api,
    injectWatchFaults(watchFaults, { schedule, clock, component: "kubelet" }),
  );
  schedule.start();
  const ending = new AbortController();
  const seen: string[] = [];
  const times: number[] = [];
  let end: unknown;
  const follow = async () => {
    for await (const event of client.watch(namespaces, { resourceVersion }, ending.signal)) {
      if (event.type === "BOOKMARK") continue;
      seen.push(event.object.metadata.name);
      times.push(clock.now() - begin);
    }
  };
  const following = follow().then(
    () => (end = "quietly"),
    (error: unknown) => (end = error),
  );
  await clock.settle();
  for (const name of ["a", "b", "c"]) await api.create(namespaces, { metadata: { name }, spec: {} });
  await clock.advance(600_000);
  if (end === undefined) ending.abort(new Error("over"));
  await following;
  schedule.stop();
  await stop();
  return { seen, times, end };
}

test.for(["delayed-watch", "stalled-watch"])("%s: everything comes, in order, late", async (fault) => {
  const { seen, times } = await watchThree(fault);
  expect(seen).toEqual(["a", "b", "c"]);
  expect(times[0]).toBeGreaterThan(0);
  // Controllers wait five minutes for an event.
  expect(Math.max(...times)).toBeLessThan(300_000);
});

test.for([
  { fault: "ended-watch", ends: (end: unknown) => end === "quietly" },
  { fault: "broken-watch", ends: (end: unknown) => end instanceof Error && !isGone(end) },
  { fault: "expired-watch", ends: isGone },
])("$fault: nothing comes", async ({ fault, ends }) => {
  const { seen, end } = await watchThree(fault);
  expect(seen).toEqual([]);
  expect(ends(end)).toBe(true);
});
