import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { humanDuration } from "../../src/api/duration.ts";
import { browserClock } from "../live/browser-clock.ts";
import { clockTime } from "./format.ts";
import { TimelineButtons } from "./timeline-buttons.tsx";
import type { TimelineChart } from "./timeline-chart.ts";
import { useFrames } from "./use-store.ts";

/** The strip at the bottom: Pods and decisions since the page was opened; dragging it shows the cluster as it was. */
export function Timeline(): JSX.Element {
  const store = useFrames(500);
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<TimelineChart | undefined>(undefined);
  const wasLive = useRef(false);
  wasLive.current ||= store.connection.kind === "live";
  useEffect(() => {
    const left = new AbortController();
    // The first view of the cluster does not wait for the library of the chart.
    if (!wasLive.current) return undefined;
    const start = async () => {
      const loaded = await import("./timeline-chart.ts");
      if (place.current === null || left.signal.aborted) return;
      const drawn = new loaded.TimelineChart(place.current);
      chart.current = drawn;
      left.signal.addEventListener("abort", () => drawn.destroy(), { once: true });
    };
    void start();
    return () => left.abort();
  }, [wasLive.current]);
  const now = browserClock.now();
  const { moment, log, clockOf } = store;
  useEffect(() =>
    chart.current?.draw(store.samples.columns, { since: log.since, now, last: store.liveCounts }),
  );
  const [from, to] = [Math.floor(log.since / 1000), Math.floor(now / 1000)];
  const shown = moment === undefined ? to : Math.floor(moment / 1000);
  const ago = moment === undefined ? 0 : clockOf(now) - clockOf(moment);
  const text = moment === undefined ? "now" : `${clockTime(clockOf(moment))}, ${humanDuration(ago)} ago`;
  return (
    <footer class={moment === undefined ? "timeline" : "timeline past"} aria-label="Timeline">
      <div class="timeline-head">
        <span class="keys" aria-hidden="true">
          <i class="key ready" /> ready <i class="key waiting" /> waiting <i class="key ending" /> terminating{" "}
          <i class="key placed" /> placed <i class="key removed" /> removed <i class="key resized" /> resized
        </span>
        <TimelineButtons />
        <output for="moment" aria-live="polite">
          {moment === undefined
            ? `since ${clockTime(clockOf(log.since))}`
            : `The cluster as it was at ${text}`}
        </output>
        <button
          type="button"
          class="small strong"
          hidden={moment === undefined}
          onClick={() => store.showMoment(undefined)}
        >
          Back to now
        </button>
      </div>
      <div class="strip">
        <div class="chart" ref={place} aria-hidden="true" />
        <input
          id="moment"
          type="range"
          aria-label="Moment that is shown"
          aria-valuetext={text}
          min={from}
          max={Math.max(to, from + 1)}
          step={1}
          value={shown}
          onInput={({ currentTarget }) => {
            const at = currentTarget.valueAsNumber;
            store.showMoment(at >= to ? undefined : at * 1000 + 999);
          }}
        />
      </div>
    </footer>
  );
}
