import type { Clock } from "../../machinery/clock/clock.ts";
import type { DecisionTime } from "./decide-removal.ts";

/** A limit of time that has begun; `end` stops its timers. */
export interface RunningTime {
  readonly budget: DecisionTime;
  readonly end: () => void;
}

/** The answer is given so long before the API server stops waiting for it, and a picker has to have answered before. */
const answerAheadMs = 500;
const pickerAheadMs = 1000;
/** The watch of Pods gets so much of the time, and no more than that. */
const watchShare = 1 / 3;
const mostWatchMs = 2000;

/** The time that a request may be held which the API server waits for so long. */
export function heldTime(timeoutMs: number, clock: Clock): RunningTime {
  const pickerMs = Math.max(timeoutMs - pickerAheadMs, 0);
  return timeOf(
    {
      answerMs: Math.max(timeoutMs - answerAheadMs, 0),
      pickerMs,
      // The whole seconds that are left once the workload has been looked up.
      pickerSeconds: Math.max(Math.ceil(pickerMs / 1000) - 1, 1),
    },
    clock,
  );
}

/** What a decision takes besides asking a picker, and the longest that anything is deferred. */
const besidesPickerMs = 5000;
const longestMs = 40_000;
const defaultPickerSeconds = 10;
const mostPickerSeconds = 30;

/** The time that a deferred scale-down may wait: that of its picker and a few seconds, and never very long. */
export function deferralTime(picker: unknown, clock: Clock): RunningTime {
  const asked = (picker as { readonly timeoutSeconds?: unknown } | undefined)?.timeoutSeconds;
  const seconds = typeof asked === "number" && asked > 0 ? asked : defaultPickerSeconds;
  const pickerMs = picker === undefined ? 0 : Math.min(seconds, mostPickerSeconds) * 1000;
  const answerMs = Math.min(pickerMs + besidesPickerMs, longestMs);
  return timeOf({ answerMs, pickerMs: answerMs - pickerAheadMs, pickerSeconds: mostPickerSeconds }, clock);
}

interface Limits {
  readonly answerMs: number;
  readonly pickerMs: number;
  readonly pickerSeconds: number;
}

function timeOf({ answerMs, pickerMs, pickerSeconds }: Limits, clock: Clock): RunningTime {
  const [answer, picker] = [new AbortController(), new AbortController()];
  const over = (what: string) => new Error(`no time is left for ${what}`);
  const timers = [
    clock.after(answerMs, () => answer.abort(over("the answer"))),
    clock.after(pickerMs, () => picker.abort(over("the pod picker"))),
  ];
  const budget = {
    signal: answer.signal,
    pickerSignal: picker.signal,
    pickerSeconds,
    watchMs: Math.min(answerMs * watchShare, mostWatchMs),
  };
  return { budget, end: () => timers.forEach((timer) => timer.cancel()) };
}
