import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { browserClock } from "../live/browser-clock.ts";
import type { PageStore } from "../page-store.ts";
import { OpenMoment } from "./saved-moment.tsx";
import { ShareMoment } from "./share-moment.tsx";
import { useFrames } from "./use-store.ts";

/** How often a frame of the past is shown while it plays, and how much later each is. */
const play = { everyMs: 100, stepMs: 400 } as const;

/** Moves through the past: from decision to decision, or on its own. */
export function TimelineButtons(): JSX.Element {
  const store = useFrames(500);
  const [isPlaying, setPlaying] = useState(false);
  usePlaying(store, isPlaying, () => setPlaying(false));
  const moment = store.moment ?? browserClock.now();
  const jump = (step: -1 | 1) => {
    const at = store.samples.decisionBeside(moment, step);
    if (at !== undefined) store.showMoment(at);
  };
  const earlier = store.samples.decisionBeside(moment, -1);
  const isPast = store.moment !== undefined;
  return (
    <span class="timeline-buttons">
      <button
        type="button"
        class="small"
        disabled={earlier === undefined || earlier < store.log.since}
        onClick={() => jump(-1)}
      >
        <span aria-hidden="true">‹</span>
        <span class="visually-hidden">The decision before</span>
      </button>
      <button
        type="button"
        class="small"
        disabled={!isPast}
        aria-pressed={isPlaying}
        onClick={() => setPlaying(!isPlaying)}
      >
        {isPlaying ? "pause" : "play"}
      </button>
      <button
        type="button"
        class="small"
        disabled={!isPast || store.samples.decisionBeside(moment, 1) === undefined}
        onClick={() => jump(1)}
      >
        <span aria-hidden="true">›</span>
        <span class="visually-hidden">The decision after</span>
      </button>
      <ShareMoment
        label="Share moment"
        momentOf={({ shown, context, facts }) => ({ objects: shown.objects, now: context.now, facts })}
      />
      <OpenMoment />
    </span>
  );
}

/** Shows one moment after the other, until it is now. */
function usePlaying(store: PageStore, isPlaying: boolean, ended: () => void): void {
  useEffect(() => {
    if (!isPlaying) return undefined;
    const stopped = new AbortController();
    const run = async () => {
      while (!stopped.signal.aborted && store.moment !== undefined) {
        const next = store.moment + play.stepMs;
        store.showMoment(next >= browserClock.now() ? undefined : next);
        await browserClock.sleep(play.everyMs, stopped.signal).catch(() => undefined); // only the abort ends it early
      }
      if (!stopped.signal.aborted) ended();
    };
    void run();
    return () => stopped.abort();
  }, [store, isPlaying]);
}
