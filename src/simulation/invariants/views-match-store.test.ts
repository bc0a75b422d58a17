import { expect, test } from "vitest";
import { intercept } from "../faults/intercept.ts";
import { findScenario } from "../scenarios/scenarios.ts";
import { runTrial } from "../trial.ts";
import { viewsMatchStore } from "./views-match-store.ts";

const scenario = findScenario("scaling");
if (scenario === undefined) throw new Error("no such scenario");

test("a view may be late, and is right about the version it has reached", async () => {
  const { breach } = await runTrial({ scenario, seed: 3, invariants: [viewsMatchStore] });
  expect(breach).toBeUndefined();
});

test("a watch that leaves something out is noticed", async () => {
  const { breach } = await runTrial({
    scenario,
    seed: 3,
    invariants: [viewsMatchStore],
    mutation: {
      client: (client) =>
        intercept(client, {
          async *watch({ collection }, { open }) {
            for await (const event of open())
              if (collection !== "pods" || event.type !== "DELETED") yield event;
          },
        }),
    },
  });
  expect(breach?.what).toMatch(/sees pods at \d+ with/);
});
