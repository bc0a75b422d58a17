import { expect, test } from "vitest";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { type CycleRun, runCycles } from "./run-cycles.ts";

test("a scheduler that is stopped while it brings its snapshot up to date does not wait for another Pod", async () => {
  const stop = new AbortController();
  const never = new Promise<void>(() => undefined);
  const run = {
    clock: new VirtualClock(),
    cache: {
      *refresh() {
        stop.abort();
        yield;
      },
    },
    queue: { pop: () => undefined, available: () => never },
  } as unknown as CycleRun;
  await expect(runCycles(run, stop.signal)).resolves.toBeUndefined();
});
