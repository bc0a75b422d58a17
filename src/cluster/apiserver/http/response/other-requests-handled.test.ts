import { expect, test } from "vitest";
import { VirtualClock } from "../../../../machinery/clock/virtual-clock.ts";
import { WallClock } from "../../../../machinery/clock/wall-clock.ts";
import { otherRequestsHandled } from "./other-requests-handled.ts";

test("the responses of requests that arrive together come after the handling of all of them", async () => {
  const clock = new WallClock();
  const seen: string[] = [];
  const serve = async (name: string, steps: number) => {
    for (let step = 0; step < steps; step++) await Promise.resolve();
    seen.push(`${name} is handled`);
    await otherRequestsHandled(clock);
    seen.push(`${name} is answered`);
  };
  await Promise.all([serve("a", 1), serve("b", 20)]);
  expect(seen).toEqual(["a is handled", "b is handled", "a is answered", "b is answered"]);
});

test("in virtual time, where nothing arrives over a network, nothing is waited for", () => {
  expect(otherRequestsHandled(new VirtualClock())).toBeUndefined();
});
