import * as fc from "fast-check";
import { expect, test } from "vitest";
import { transientFailure } from "../../src/picker/picker-failure.ts";
import type { SimulatedPicker } from "../../src/picker/simulated-picker.ts";
import { perTier } from "../tier.ts";
import { podsOf, run, scale, startVirtual } from "./virtual-cluster.ts";

test(
  "with a picker that fails at random every scale-down ends with the desired Pods",
  { timeout: 120_000 },
  async () => {
    const steps = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 2, maxLength: 6 });
    const choices = fc.infiniteStream(fc.nat(4));
    await fc.assert(
      fc.asyncProperty(steps, choices, fc.integer(), async (sizes, choice, seed) => {
        const unreliable: SimulatedPicker = {
          latencyMs: () => [0, 50, 900, 5000, 1][Number(choice.next().value)] ?? 0,
          pick: ({ candidates }) => {
            const answers = [
              transientFailure("Refused", { code: "HTTP 503" }),
              { chosen_pods: candidates },
              { chosen_pods: ["unknown"], tied_pods: candidates.slice(0, 1) },
              { nonsense: true },
              null,
            ];
            return answers[Number(choice.next().value)];
          },
        };
        const cluster = await startVirtual({ pickers: { picker: unreliable }, seed: String(seed) });
        await run(cluster, "web", { replicas: 6, picker: "picker" });
        for (const size of sizes) {
          await scale(cluster, "web", size);
          await cluster.clock.advance(700);
        }
        await cluster.clock.advance(10_000);
        expect(await podsOf(cluster, "web")).toHaveLength(sizes.at(-1) ?? 6);
      }),
      { numRuns: perTier({ unit: 8, full: 200 }) },
    );
  },
);
