import { expect, test } from "vitest";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { replicaSet } from "../testing/replica-set.ts";
import { DecisionMemory } from "./decision-memory.ts";

test("a ReplicaSet that asks again and again is decided about every two seconds, refusals in between", async () => {
  const clock = new VirtualClock();
  const memory = new DecisionMemory(clock);
  const asking = replicaSet("web");
  let allowed = 0;
  for (let asked = 0; asked < 278; asked++) {
    if (memory.mayDecide(asking)) allowed += 1;
    await clock.advance(650);
  }
  // Ten at once, and one for every two seconds of three minutes.
  expect(allowed).toBeGreaterThan(10 + 85);
  expect(allowed).toBeLessThanOrEqual(10 + 91);
});
