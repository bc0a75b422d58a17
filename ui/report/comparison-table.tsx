import type { ComponentChildren, JSX } from "preact";
import type {
  ComparedMeasure,
  ScenarioComparison,
} from "../../src/simulation/scenario-comparison/compare-outcomes.ts";
import {
  differenceText,
  spreadMeaning,
  spreadText,
} from "../../src/simulation/scenario-comparison/measure-text.ts";
import {
  type MeasureName,
  measureNames,
  measureTitles,
  workloadMeasureNames,
} from "../../src/simulation/scenario-comparison/run-measures.ts";
import { CardTable } from "./cells.tsx";

/** The measures of two scenarios, side by side: of all workloads, and of each where there are several. */
export function ComparisonTable({ comparison }: { readonly comparison: ScenarioComparison }): JSX.Element {
  const { measures, workloads, seeds } = comparison;
  const isSpread = seeds.length > 1;
  const heads = [
    "measure (lower is better)",
    "a",
    "b",
    "b - a",
    "better",
    ...(isSpread ? ["seeds with b lower, equal, higher"] : []),
  ];
  const each = Object.entries(workloads);
  return (
    <section aria-label="Comparison">
      <h2>Comparison</h2>
      <CardTable
        name="comparison"
        heads={heads}
        rows={measureNames.map((name) => measureRow(name, measures[name], isSpread))}
      />
      {each.length > 1 &&
        each.map(([workload, own]) => (
          <>
            <h3>{workload}</h3>
            <CardTable
              name="comparison"
              heads={heads}
              rows={workloadMeasureNames.map((name) => measureRow(name, own[name], isSpread))}
            />
          </>
        ))}
      {isSpread && (
        <p class="quiet">
          Seeds {seeds[0]?.seed} to {seeds.at(-1)?.seed}: {spreadMeaning(seeds.length)}. The plots are those
          of seed {seeds[0]?.seed}.
        </p>
      )}
    </section>
  );
}

/** Which scenario has the lower number, by the middle of all differences. */
function betterOf(median: number | undefined): JSX.Element | string {
  if (median === undefined) return "";
  if (median === 0) return "equal";
  return <strong class="good">{median < 0 ? "b" : "a"}</strong>;
}

function measureRow(
  name: MeasureName,
  { a, b, difference }: ComparedMeasure,
  isSpread: boolean,
): readonly ComponentChildren[] {
  const pairs = [difference?.lower ?? 0, difference?.equal ?? 0, difference?.higher ?? 0].join(", ");
  return [
    measureTitles[name],
    spreadText(name, a),
    spreadText(name, b),
    <strong key="difference">{spreadText(name, difference, differenceText)}</strong>,
    betterOf(difference?.median),
    ...(isSpread ? [pairs] : []),
  ];
}
