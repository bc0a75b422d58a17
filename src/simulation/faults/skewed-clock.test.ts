import { expect, test } from "vitest";
import { describeClock } from "../../machinery/clock/clock.contract.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { SkewedClock } from "./skewed-clock.ts";

describeClock("a skewed clock", () => {
  const right = new VirtualClock();
  return { clock: new SkewedClock(right, -90_000), pass: (durationMs) => right.advance(durationMs) };
});

test("a skewed clock is wrong by its skew", () => {
  const right = new VirtualClock();
  const wrong = new SkewedClock(right, 500);
  expect(wrong.now() - right.now()).toBe(500);
  wrong.skewMs = -20;
  expect(wrong.now() - right.now()).toBe(-20);
});
