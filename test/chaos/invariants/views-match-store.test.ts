import { expect, test } from "vitest";
import { interceptClient } from "../../../src/machinery/client/intercept-client.ts";
import { findScenario } from "../scenarios/scenarios.ts";
import { runTrial } from "../run-trial.ts";
import { viewsMatchStore } from "./views-match-store.ts";

const scenario = findScenario("scaling");
if (scenario === undefined) throw new Error("no such scenario");

test("a view may be late, and is right about the version it has reached", async () => {
  const { violation } = await runTrial({ scenario, seed: 3, invariants: [viewsMatchStore] });
  expect(violation).toBeUndefined();
});

test("a watch that leaves something out is noticed", async () => {
  const { violation } = await runTrial({
    scenario,
    seed: 3,
    invariants: [viewsMatchStore],
    mutation: {
      client: (client) =>
        interceptClient(client, {
          async *watch({ collection }, { open }) {
            for await (const event of open())
              if (collection !== "pods" || event.type !== "DELETED") yield event;
          },
        }),
    },
  });
  expect(violation?.details).toMatch(/sees pods at \d+ with/);
});
