import * as fc from "fast-check";
import { expect, test } from "vitest";
import { transientFailure } from "../../src/picker/picker-failure.ts";
import type { SimulatedPicker } from "../../src/picker/simulated-picker.ts";
import { podsOf, run, scale, startVirtual } from "./virtual-cluster.ts";

/** Whatever mood a picker is in, for so many seeds. */
export function describeRandomFailures(seeds: number): void {
  test(
    "under pickers that fail by chance every scale-down ends with the Pods wanted",
    { timeout: 120_000 },
    async () => {
      const steps = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 2, maxLength: 6 });
      const moods = fc.infiniteStream(fc.nat(4));
      await fc.assert(
        fc.asyncProperty(steps, moods, fc.integer(), async (sizes, mood, seed) => {
          const moody: SimulatedPicker = {
            latencyMs: () => [0, 50, 900, 5000, 1][Number(mood.next().value)] ?? 0,
            pick: ({ candidates }) => {
              const answers = [
                transientFailure("Refused", { code: "HTTP 503" }),
                { chosen_pods: candidates },
                { chosen_pods: ["nobody"], tied_pods: candidates.slice(0, 1) },
                { nonsense: true },
                null,
              ];
              return answers[Number(mood.next().value)];
            },
          };
          const cluster = await startVirtual({ pickers: { picker: moody }, seed: String(seed) });
          await run(cluster, "web", { replicas: 6, picker: "picker" });
          for (const size of sizes) {
            await scale(cluster, "web", size);
            await cluster.clock.advance(700);
          }
          await cluster.clock.advance(10_000);
          expect(await podsOf(cluster, "web")).toHaveLength(sizes.at(-1) ?? 6);
        }),
        { numRuns: seeds },
      );
    },
  );
}
