import uPlot from "uplot";
import { formatDuration } from "../../src/api/duration.ts";
import type { RunMark } from "./run-marks.ts";
import { themeColour } from "../theme-colour.ts";
import { type ChartContent, type ChartLine, type Highest, lineText, loadText } from "./chart-lines.ts";

const height = 190;
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const timeSteps = [1, 5, 10, 30, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute]
  .concat([1, 2, 3, 6, 12].map((hours) => hours * hour))
  .concat([1, 2, 7, 14, 28, 91, 364].map((days) => days * day));
const countSteps = [0, 1, 2, 3, 4, 5].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));

/** What a chart draws. */
export interface DrawnContent {
  readonly content: ChartContent;
  /** The seconds between two samples. */
  readonly step: number;
  readonly highest: Highest;
  readonly marks: readonly RunMark[];
  /** The time of the first sample, in seconds. */
  readonly from?: number;
}

/** A line for each mark, with its sign above: where signs would overlap, only the first is written. */
function drawMarks(plot: uPlot, marks: readonly RunMark[], colour: (name: string) => string): void {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  let free = Number.NEGATIVE_INFINITY;
  ctx.save();
  ctx.font = `600 ${10 * scale}px system-ui, sans-serif`;
  ctx.textAlign = "center";
  ctx.textBaseline = "top";
  ctx.lineWidth = scale;
  for (const { atSeconds, sign, isFailure } of marks) {
    const x = plot.valToPos(atSeconds, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = colour(isFailure ? "--bad" : "--soft");
    ctx.fillStyle = ctx.strokeStyle;
    ctx.setLineDash(isFailure ? [] : [3 * scale, 3 * scale]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const width = ctx.measureText(sign).width + 6 * scale;
    if (isFailure) {
      ctx.fillText(sign, x + 4 * scale, bbox.top + 2 * scale);
      continue;
    }
    if (x - width / 2 < free) continue;
    ctx.fillText(sign, x, Math.max(0, bbox.top - 11 * scale));
    free = x + width / 2;
  }
  ctx.restore();
}

/** Draws a chart as wide as its place, and again when that or the colours change; the returned function ends it. */
export function drawChart(
  place: HTMLElement,
  { content, step, highest, marks, from = 0 }: DrawnContent,
): () => void {
  const { lines } = content;
  const metric = lines.find((line) => line.metric !== undefined)?.metric;
  const samples = lines[0]?.values.length ?? 0;
  const colour = (name: string) => themeColour(place, name);
  const times = Array.from({ length: samples }, (_, index) => from + index * step);
  const axis = {
    stroke: () => colour("--soft"),
    grid: { stroke: () => colour("--line"), width: 1 },
    ticks: { show: false },
    font: "11px system-ui, sans-serif",
  };
  const plot = new uPlot(
    {
      width: widthOf(place),
      height,
      padding: [12, null, null, null],
      scales: {
        x: { time: false },
        y: { range: rangeTo(Math.max(1, highest.pods)) },
        ...(metric !== undefined && { load: { range: rangeTo(highest.load || 1) } }),
      },
      axes: [
        { ...axis, incrs: timeSteps, space: 64, values: (_plot, ticks) => ticks.map(timeText), size: 26 },
        { ...axis, incrs: countSteps, size: 38 },
        ...(metric === undefined ? [] : [loadAxis(metric, axis)]),
      ],
      series: [
        { label: "time", value: (_plot, value: number | null) => (value === null ? "" : timeText(value)) },
        ...lines.map((line) => seriesOf(line, colour)),
      ],
      bands: bandsOf(lines),
      hooks: { draw: [(drawn) => drawMarks(drawn, marks, colour)] },
      cursor: { y: false, drag: { x: true, y: false } },
    },
    [times, ...lines.map(({ stacked, values }) => [...(stacked ?? values)])],
    place,
  );
  const resized = new ResizeObserver(() => plot.setSize({ width: widthOf(place), height }));
  resized.observe(place);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const redraw = () => plot.redraw(false, true);
  scheme.addEventListener("change", redraw);
  return () => {
    resized.disconnect();
    scheme.removeEventListener("change", redraw);
    plot.destroy();
  };
}

function seriesOf(line: ChartLine, colour: (name: string) => string): uPlot.Series {
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  return {
    label: line.name,
    stroke: () => colour(line.colour),
    width: line.stacked === undefined ? 1.5 : 1,
    points: { show: false },
    // The legend has the number itself, also where the line is drawn on top of others.
    value: (...[, , , index]) => (index === null ? "" : lineText(line, index)),
    scale: line.metric === undefined ? "y" : "load",
    ...(stepped !== undefined && { paths: stepped }),
    ...(line.dash !== undefined && { dash: [...line.dash] }),
    ...(line.stacked !== undefined && {
      fill: () => `color-mix(in srgb, ${colour(line.colour)} 40%, transparent)`,
    }),
  };
}

/** The axis of a load, at the right; the grid is that of the Pods. */
function loadAxis(metric: string, axis: uPlot.Axis): uPlot.Axis {
  const values = (_plot: uPlot, ticks: number[]) => ticks.map((tick) => loadText(metric, tick));
  // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- the enum is only in the types of uPlot: 1 is right
  return { ...axis, scale: "load", side: 1, grid: { show: false }, size: 50, values };
}

function rangeTo(highest: number): [number, number] {
  return [0, highest * 1.05];
}

/** Fills the band between each stacked line and the next with its colour. */
function bandsOf(lines: readonly ChartLine[]): uPlot.Band[] {
  return lines.flatMap(({ stacked }, index) =>
    stacked !== undefined && lines[index + 1]?.stacked !== undefined
      ? [{ series: [index + 1, index + 2] as [number, number] }]
      : [],
  );
}

/** `1h30m`, without the zeros at the end. */
function timeText(seconds: number): string {
  return formatDuration(seconds * 1000).replace(/(?<=[hm])0[ms](?:0s)?$/, "");
}

function widthOf(place: HTMLElement): number {
  return Math.max(200, place.clientWidth);
}
