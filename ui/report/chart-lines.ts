import type { WorkloadSeries } from "../../src/simulation/tracking/time-series.ts";

/** One line of a chart. */
export interface ChartLine {
  readonly name: string;
  /** The name of a colour in the style of the page. */
  readonly colour: string;
  readonly values: readonly (number | null)[];
  readonly dash?: readonly number[];
  /** Where it is drawn, if not at its values: on top of the lines that follow it and are stacked, too. */
  readonly stacked?: readonly number[];
  /** The metric of a load, which is not a number of Pods and has its own axis. */
  readonly metric?: string;
}

export interface ChartContent {
  readonly title: string;
  readonly lines: readonly ChartLine[];
}

const dashed = [6, 4];
const zoneColours = ["--c0", "--c1", "--c2", "--c3", "--c4", "--c5", "--c6", "--c7"];

/** The charts of a workload. */
export function chartsOf(series: WorkloadSeries): readonly ChartContent[] {
  const desired = { name: "desired", colour: "--ink", values: series.desired, dash: dashed };
  const isBusy = series.busy.some((count) => count > 0);
  return [
    { title: "Pods by state", lines: [...stackedStates(series), desired] },
    {
      title: "Most Pods and terminating Pods against the budget",
      lines: [
        { name: "Pods", colour: "--ready", values: series.maxPods },
        { name: "terminating", colour: "--ending", values: series.maxTerminating },
        ...(series.budget.some((budget) => budget !== null)
          ? [{ name: "budget", colour: "--ink", values: series.budget, dash: dashed }]
          : []),
      ],
    },
    {
      title: "Pods by zone, and their skew",
      lines: [
        ...Object.entries(series.zones).map(([zone, values], index) => ({
          name: zone,
          colour: zoneColours[index % zoneColours.length] ?? "--c0",
          values,
        })),
        { name: "skew", colour: "--ink", values: series.skew, dash: dashed },
      ],
    },
    ...(isBusy
      ? [
          {
            title: "Busy Pods and replicas",
            lines: [
              { name: "busy", colour: "--removed", values: series.busy },
              { name: "ready", colour: "--ready", values: series.ready },
              desired,
            ],
          },
        ]
      : []),
    ...Object.entries(series.loads).map(([metric, values]) => ({
      title: `Load and replicas: ${metric}`,
      lines: [
        { name: `${metric}, right axis`, colour: "--c6", values, metric },
        { name: "ready", colour: "--ready", values: series.ready },
        desired,
      ],
    })),
  ];
}

/** The highest values that a chart draws, or several that are to have the same scale. */
export interface Highest {
  readonly pods: number;
  /** Zero where there is no load. */
  readonly load: number;
}

export function highestOf(charts: readonly ChartContent[]): Highest {
  const lines = charts.flatMap((chart) => chart.lines);
  const highest = (some: readonly ChartLine[]): number =>
    some.reduce(
      (most, { stacked, values }) =>
        (stacked ?? values).reduce<number>((above, each) => Math.max(above, each ?? 0), most),
      0,
    );
  const isLoad = ({ metric }: ChartLine) => metric !== undefined;
  return { pods: highest(lines.filter((line) => !isLoad(line))), load: highest(lines.filter(isLoad)) };
}

const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi"];

/** An amount of a metric: memory as `1.5Gi`, others as a number of few digits. */
export function loadText(metric: string, value: number): string {
  if (metric !== "memory") return String(Number(value.toPrecision(4)));
  const power = value < 1024 ? 0 : Math.min(5, Math.floor(Math.log2(value) / 10));
  return `${Number((value / 1024 ** power).toPrecision(3))}${binarySuffixes[power] ?? ""}`;
}

/** The number of a line at a sample, as the legend shows it. */
export function lineText({ metric, values }: ChartLine, sample: number): string {
  const value = values[sample];
  if (value === null || value === undefined) return "none";
  return metric === undefined ? String(value) : loadText(metric, value);
}

/** The states of Pods on top of each other, the topmost first; ready ones are at the bottom. */
function stackedStates(series: WorkloadSeries): readonly ChartLine[] {
  const fromBottom = [
    { name: "ready", colour: "--ready", values: series.ready },
    { name: "not ready", colour: "--waiting", values: series.notReady },
    { name: "pending", colour: "--c4", values: series.pending },
    { name: "terminating", colour: "--ending", values: series.terminating },
  ];
  let below: readonly number[] = [];
  return fromBottom
    .map((line): ChartLine => {
      below = line.values.map((value, index) => value + (below[index] ?? 0));
      return { ...line, stacked: below };
    })
    .toReversed();
}
