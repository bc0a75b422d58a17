import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { TimeState } from "../messages.ts";
import { changeTime, followTime } from "../playing.ts";
import type { WorkerLink } from "../worker-link.ts";

const speeds = [0.5, 1, 5, 10, 30, 60, 100, 300, 1000];

/** Returns how time passes in the cluster. */
export function useTime(link: WorkerLink): TimeState | undefined {
  const [state, setState] = useState<TimeState>();
  useEffect(() => {
    const left = new AbortController();
    followTime(link, setState, left.signal);
    return () => left.abort(new Error("nobody looks any more"));
  }, [link]);
  return state;
}

/** Pause, steps, speed, and a jump to the next decision. */
export function TimeStrip({
  link,
  time,
}: {
  readonly link: WorkerLink;
  readonly time: TimeState | undefined;
}): JSX.Element {
  const paused = time?.paused === true;
  const change = (to: Parameters<typeof changeTime>[1]) => void changeTime(link, to);
  return (
    <div class="time-strip" role="toolbar" aria-label="Time of the cluster">
      <button type="button" class="strong" onClick={() => change({ to: paused ? "resume" : "pause" })}>
        {paused ? "▶ Play" : "❚❚ Pause"}
      </button>
      <button type="button" onClick={() => change({ to: "step", ms: 1000 })}>
        +1 s
      </button>
      <button type="button" onClick={() => change({ to: "step", ms: 60_000 })}>
        +1 min
      </button>
      <button type="button" onClick={() => change({ to: "decision" })}>
        Next decision
      </button>
      <label>
        Speed{" "}
        <select
          value={String(time?.speed ?? 1)}
          onChange={({ currentTarget }) => change({ to: "speed", speed: Number(currentTarget.value) })}
        >
          {speeds.map((speed) => (
            <option key={speed} value={String(speed)}>
              ×{speed}
            </option>
          ))}
        </select>
      </label>
      <output class="passed" aria-label="Time since the beginning">
        {passedText(time?.passedMs ?? 0)}
      </output>
    </div>
  );
}

/** `1:02:03`, or with tenths below a minute, where they matter. */
export function passedText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:` : ""}${two(minutes)}:${two(seconds % 60)}`;
}
