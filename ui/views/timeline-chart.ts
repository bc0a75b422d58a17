import uPlot from "uplot";
import { seriesNames } from "../history/samples.ts";
import type { Instant } from "../../src/api/time.ts";
import type { PodStateCounts } from "../model/pod-state.ts";
import { themeColour } from "../theme-colour.ts";

const looks: Readonly<
  Record<(typeof seriesNames)[number], { readonly stroke: string; readonly dash?: number[] }>
> = {
  ready: { stroke: "--ready" },
  starting: { stroke: "--waiting", dash: [6, 3] },
  terminating: { stroke: "--ending", dash: [2, 2] },
  placement: { stroke: "--placed" },
  removal: { stroke: "--removed" },
  resize: { stroke: "--resized" },
};

/** What the chart spans, by the browser's clock. */
interface DrawnTimes {
  readonly since: Instant;
  readonly now: Instant;
  /** The Pods as they are now; absent while that is not known. */
  readonly last: PodStateCounts | undefined;
}

/** The chart of the timeline: lines for Pods, ticks below them for decisions. */
export class TimelineChart {
  readonly #place: HTMLElement;
  readonly #plot: uPlot;
  readonly #resized: ResizeObserver;

  constructor(place: HTMLElement) {
    this.#place = place;
    const series = seriesNames.map((name, index): uPlot.Series => {
      const { stroke, dash } = looks[name];
      const colour = () => themeColour(place, stroke);
      const isDecision = index > 2;
      return {
        stroke: colour,
        width: isDecision ? 0 : 1.5,
        points: { show: false },
        scale: isDecision ? "decisions" : "pods",
        ...(isDecision && { paths: () => null }),
        ...(dash !== undefined && { dash }),
      };
    });
    this.#plot = new uPlot(
      {
        ...sizeOf(place),
        padding: [4, 0, 0, 0],
        cursor: { show: false },
        legend: { show: false },
        select: { show: false, left: 0, top: 0, width: 0, height: 0 },
        axes: [{ show: false }, { show: false, scale: "pods" }],
        scales: {
          x: { time: true, auto: false },
          pods: { range: (_plot, _min, max) => [-0.25 * Math.max(1, max ?? 1), Math.max(1, max ?? 1)] },
          decisions: { range: [0, 1] },
        },
        series: [{}, ...series],
        hooks: { draw: [drawDecisions] },
      },
      [[], ...seriesNames.map(() => [])],
      place,
    );
    this.#resized = new ResizeObserver(() => this.#plot.setSize(sizeOf(place)));
    this.#resized.observe(place);
  }

  draw(columns: readonly (readonly number[])[], { since, now, last }: DrawnTimes): void {
    if (this.#place.clientWidth === 0) return;
    const ended = last === undefined ? columns : withEnd(columns, now, last);
    const data = ended.map((column, index) => (index === 2 || index === 3 ? withoutRests(column) : column));
    this.#plot.setData(data as unknown as uPlot.AlignedData, false);
    this.#plot.setScale("x", { min: since / 1000, max: Math.max(now, since + 1000) / 1000 });
  }

  destroy(): void {
    this.#resized.disconnect();
    this.#plot.destroy();
  }
}

/** The samples are a second apart: the line goes on to the cursor with what is known now. */
function withEnd(
  columns: readonly (readonly number[])[],
  now: Instant,
  { ready, starting, unscheduled, terminating }: PodStateCounts,
): readonly (readonly number[])[] {
  const end = [now / 1000, ready, starting + unscheduled, terminating, 0, 0, 0];
  if ((columns[0]?.at(-1) ?? 0) >= now / 1000) return columns;
  return columns.map((column, index) => [...column, end[index] ?? 0]);
}

/** Drops zeros between zeros: a line along the axis says nothing. */
function withoutRests(column: readonly number[]): readonly (number | null)[] {
  return column.map((value, index) =>
    value === 0 && (column[index - 1] ?? 0) === 0 && (column[index + 1] ?? 0) === 0 ? null : value,
  );
}

function sizeOf(place: HTMLElement): { readonly width: number; readonly height: number } {
  return { width: Math.max(50, place.clientWidth), height: Math.max(24, place.clientHeight) };
}

/** A tick for each second with decisions: placements, removals and resizes in rows of their own, so that no colour is needed. */
function drawDecisions(plot: uPlot): void {
  const { ctx, data, bbox } = plot;
  const [times] = data;
  const row = Math.max(3, Math.floor(bbox.height / 16));
  for (const [line, index] of [4, 5, 6].entries()) {
    const counts = data[index];
    const stroke = plot.series[index]?.stroke;
    if (counts === undefined || typeof stroke !== "function") continue;
    ctx.fillStyle = stroke(plot, index);
    const top = bbox.top + bbox.height - (3 - line) * (row + 1);
    for (const [at, time] of times.entries()) {
      if ((counts[at] ?? 0) === 0) continue;
      ctx.fillRect(plot.valToPos(time, "x", true) - 1, top, 2 * devicePixelRatio, row);
    }
  }
}
