import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ScenarioResult } from "../../src/simulation/scenario-run/scenario-result.ts";
import { type ChartContent, chartsOf, type Highest, highestOf, lineText } from "./chart-lines.ts";
import { marksOf, type RunMark } from "./run-marks.ts";
import { drawChart } from "./draw-chart.ts";

/** A run, and what its plots are called. */
export interface LabelledRun {
  readonly label: string;
  readonly result: ScenarioResult;
}

/** The charts of one workload: those of all runs that have it beside each other, on the same scale. */
export function WorkloadCharts(props: {
  readonly runs: readonly LabelledRun[];
  readonly workload: string;
  readonly isCompared: boolean;
}): JSX.Element {
  const { runs, workload, isCompared } = props;
  const shown = runs.flatMap(({ label, result }) => {
    const series = result.series?.workloads[workload];
    return series === undefined ? [] : [{ label, result, charts: chartsOf(series) }];
  });
  const titles = [...new Set(shown.flatMap(({ charts }) => charts.map(({ title }) => title)))];
  return (
    <div class={isCompared ? "charts compared" : "charts"}>
      {titles.flatMap((title) => {
        const same = shown.flatMap(({ charts }) => charts.filter((each) => each.title === title));
        const highest = highestOf(same);
        return shown.flatMap(({ label, result, charts }, index) => {
          const content = charts.find((each) => each.title === title);
          if (content === undefined) return isCompared ? [<div key={`${index} ${title}`} />] : [];
          const step = result.series?.stepSeconds ?? 1;
          const name = runs.length > 1 ? `${label}: ${title}` : title;
          return [
            <Chart key={`${index} ${title}`} {...{ name, content, step, highest, marks: marksOf(result) }} />,
          ];
        });
      })}
    </div>
  );
}

interface ChartProps {
  readonly name: string;
  readonly content: ChartContent;
  readonly step: number;
  readonly highest: Highest;
  readonly marks: readonly RunMark[];
}

function Chart({ name, content, step, highest, marks }: ChartProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return undefined;
    return drawChart(place.current, { content, step, highest, marks });
  }, [content, step, highest]);
  const last = content.lines.map((line) => `${line.name} ${lineText(line, line.values.length - 1)}`);
  return (
    <figure>
      <figcaption>{name}</figcaption>
      <div ref={place} class="chart" role="group" aria-label={`${name}; at the end: ${last.join(", ")}`} />
    </figure>
  );
}
