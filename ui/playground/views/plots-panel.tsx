import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type ChartContent, chartsOf, highestOf, lineText } from "../../report/chart-lines.ts";
import { drawChart } from "../../report/draw-chart.ts";
import { browserClock } from "../../live/browser-clock.ts";
import type { PlayedSeries } from "../messages.ts";
import type { WorkerLink } from "../worker-link.ts";

/** How often the plots are drawn anew. */
const everyMs = 1000;

export interface PlotsPanelProps {
  readonly link: WorkerLink;
}

/** Pods by state, the budget of a rollout, and zones with their skew: the plots of a scenario's report, while it is played. */
export function PlotsPanel({ link }: PlotsPanelProps): JSX.Element {
  const series = useSeries(link);
  const [chosen, setChosen] = useState("");
  const names = Object.keys(series?.workloads ?? {});
  const workload = names.includes(chosen) ? chosen : (names[0] ?? "");
  const lists = series?.workloads[workload];
  if (series === undefined || lists === undefined)
    return <p class="quiet plots">There is no workload to plot yet.</p>;
  const timing = { step: series.stepSeconds, from: series.fromSeconds };
  return (
    <div class="plots">
      <label>
        Workload{" "}
        <select value={workload} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {chartsOf(lists).map((content) => (
        <Plot key={`${workload} ${content.title}`} content={content} {...timing} />
      ))}
    </div>
  );
}

/** The series of the cluster, asked for again and again. */
function useSeries(link: WorkerLink): PlayedSeries | undefined {
  const [series, setSeries] = useState<PlayedSeries>();
  useEffect(() => {
    const left = new AbortController();
    const follow = async () => {
      while (!left.signal.aborted) {
        const next = await link.ask<PlayedSeries>({ ask: "series" });
        // Without a new sample nothing has to be drawn.
        setSeries((before) => (isNew(before, next) ? next : before));
        await browserClock.sleep(everyMs, left.signal);
      }
    };
    follow().catch(() => undefined); // the panel was closed, or the play has ended
    return () => left.abort(new Error("the plots are not shown any more"));
  }, [link]);
  return series;
}

const isNew = (before: PlayedSeries | undefined, { samples, fromSeconds }: PlayedSeries) =>
  before?.samples !== samples || before.fromSeconds !== fromSeconds;

interface PlotProps {
  readonly content: ChartContent;
  readonly step: number;
  readonly from: number;
}

function Plot({ content, step, from }: PlotProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      place.current === null
        ? undefined
        : drawChart(place.current, { content, step, from, highest: highestOf([content]), marks: [] }),
    [content, step, from],
  );
  const last = content.lines.map((line) => `${line.name} ${lineText(line, line.values.length - 1)}`);
  return (
    <figure>
      <figcaption>{content.title}</figcaption>
      <div ref={place} class="plot" role="group" aria-label={`${content.title}; now: ${last.join(", ")}`} />
    </figure>
  );
}
