import type { JSX } from "preact";
import type { Comparison } from "../../src/simulation/scenario-comparison/compare-outcomes.ts";
import {
  differenceText,
  spreadMeaning,
  spreadText,
} from "../../src/simulation/scenario-comparison/measure-text.ts";
import { measureNames, measureTitles } from "../../src/simulation/scenario-comparison/run-measures.ts";
import { CardTable } from "./cells.tsx";

/** The measures of two scenarios, side by side. */
export function ComparisonTable({ comparison }: { readonly comparison: Comparison }): JSX.Element {
  const { measures, seeds } = comparison;
  const isSpread = seeds.length > 1;
  const rows = measureNames.map((name) => {
    const { a, b, difference } = measures[name];
    const pairs = [difference?.lower ?? 0, difference?.equal ?? 0, difference?.higher ?? 0].join(", ");
    return [
      measureTitles[name],
      spreadText(name, a),
      spreadText(name, b),
      <strong key="difference">{spreadText(name, difference, differenceText)}</strong>,
      ...(isSpread ? [pairs] : []),
    ];
  });
  const heads = ["measure", "a", "b", "b - a", ...(isSpread ? ["seeds with b lower, equal, higher"] : [])];
  return (
    <section aria-label="Comparison">
      <h2>Comparison</h2>
      <CardTable name="comparison" heads={heads} rows={rows} />
      {isSpread && (
        <p class="quiet">
          Seeds {seeds[0]?.seed} to {seeds.at(-1)?.seed}: {spreadMeaning(seeds.length)}. The plots are those
          of seed {seeds[0]?.seed}.
        </p>
      )}
    </section>
  );
}
