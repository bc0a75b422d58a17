const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

interface Precision {
  /** The step is for durations shorter than this. */
  readonly belowMs: number;
  readonly unitMs: number;
  readonly unit: string;
  /** A second, finer unit that is shown when it is not zero. */
  readonly finerMs?: number;
  readonly finer?: string;
}

/** Two or three significant figures at every length. */
const precisions: readonly Precision[] = [
  { belowMs: 2 * minute, unitMs: second, unit: "s" },
  { belowMs: 10 * minute, unitMs: minute, unit: "m", finerMs: second, finer: "s" },
  { belowMs: 3 * hour, unitMs: minute, unit: "m" },
  { belowMs: 8 * hour, unitMs: hour, unit: "h", finerMs: minute, finer: "m" },
  { belowMs: 2 * day, unitMs: hour, unit: "h" },
  { belowMs: 8 * day, unitMs: day, unit: "d", finerMs: hour, finer: "h" },
  { belowMs: 2 * year, unitMs: day, unit: "d" },
  { belowMs: 8 * year, unitMs: year, unit: "y", finerMs: day, finer: "d" },
  { belowMs: Number.POSITIVE_INFINITY, unitMs: year, unit: "y" },
];

/** An age as kubectl prints it: `5s`, `3m20s`, `4h12m`, `2d3h`, `45d`, `2y17d`; clearly negative ones are `<invalid>`. */
export function humanDuration(durationMs: number): string {
  // Two machines' clocks may disagree a little: that is now, not an error.
  if (!(durationMs > -2 * second)) return "<invalid>";
  if (durationMs < second) return "0s";
  const step = precisions.find(({ belowMs }) => durationMs < belowMs);
  if (step === undefined) return "<invalid>";
  const shown = `${Math.floor(durationMs / step.unitMs)}${step.unit}`;
  if (step.finerMs === undefined) return shown;
  const finer = Math.floor((durationMs % step.unitMs) / step.finerMs);
  return finer === 0 ? shown : `${shown}${finer}${step.finer}`;
}
