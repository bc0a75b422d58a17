import { expect, test } from "vitest";
import { startSchedulerFixture } from "./fixture.ts";

test("no more bindings are in flight than allowed, and the Pods after them wait their turn", async () => {
  const { createPod, clock, metrics, places } = await startSchedulerFixture({
    bindingMs: 1000,
    maxBindings: 3,
  });
  for (let index = 0; index < 10; index++) await createPod(`p${index}`);
  const binding = () => metrics.value("scheduler_goroutines", { operation: "binding" });
  const inFlight: number[] = [];
  for (let second = 0; second < 4; second++) {
    await clock.advance(500);
    inFlight.push(binding());
    await clock.advance(500);
  }
  expect(inFlight).toEqual([3, 3, 3, 1]);
  expect(Object.values(await places())).not.toContain(undefined);
});
