import { expect, test } from "vitest";
import { scenarios } from "./scenarios/scenarios.ts";
import { runTrial } from "./run-trial.ts";

test.for(scenarios)("$name is the same whenever it is run", async (scenario) => {
  const first = await runTrial({ scenario, seed: 1 });
  const second = await runTrial({ scenario, seed: 1 });
  expect(second.recording.digest()).toBe(first.recording.digest());
  expect(second.faults).toEqual(first.faults);
});

test("a bug in a fault fails the trial", async () => {
  const [scenario] = scenarios;
  if (scenario === undefined) throw new Error("no scenarios");
  const restartable = new Proxy(scenario.restartable, {
    get() {
      throw new TypeError("a flaw");
    },
  });
  await expect(
    runTrial({ scenario: { ...scenario, restartable, clusterFaults: ["crash"] }, seed: 3 }),
  ).rejects.toThrow("a flaw");
});
