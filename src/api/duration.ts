import { trimRight } from "./trim-right.ts";

const unitsMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3, // U+00B5, micro sign
  μs: 1e-3, // U+03BC, Greek letter
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

// There is one way only to read a text: with two for each piece, those of 120 bytes would take hours.
const whole = /^([+-]?)((?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const piece = /([0-9.]+)([a-zµμ]+)/gy;

// Go holds durations as 64-bit nanoseconds, about 292 years.
const longestMs = 2 ** 63 / 1e6;

/** Reads a Go duration (`1h2m3.5s`, `500ms`, `-1.5h`, `0`) as milliseconds; anything else is `undefined`. */
export function parseDuration(text: string | null | undefined): number | undefined {
  if (typeof text !== "string") return undefined;
  if (/^[+-]?0$/.test(text)) return 0;
  const parts = whole.exec(text);
  if (parts === null) return undefined;
  const magnitude = sumOf(parts[2] ?? "");
  if (magnitude > longestMs) return undefined;
  return parts[1] === "-" && magnitude > 0 ? -magnitude : magnitude;
}

function sumOf(pieces: string): number {
  let sum = 0;
  for (const [, amount, unit = ""] of pieces.matchAll(piece)) sum += Number(amount) * (unitsMs[unit] ?? 0);
  return sum;
}

/** Writes milliseconds as Go does: `1h2m3.5s`, `1m0s`, `500ms`, `0s`; nanoseconds are the finest it shows. */
export function formatDuration(durationMs: number): string {
  if (!Number.isFinite(durationMs)) return "0s";
  const sign = durationMs < 0 ? "-" : "";
  const magnitude = Math.min(Math.abs(durationMs), longestMs);
  const seconds = Math.floor(magnitude / 1000);
  const nanos = Math.round((magnitude - seconds * 1000) * 1e6);
  if (seconds === 0 && nanos === 0) return "0s";
  // Rounding may have made the last second whole.
  return sign + (nanos === 1e9 ? formatParts(seconds + 1, 0) : formatParts(seconds, nanos));
}

function formatParts(seconds: number, nanos: number): string {
  if (seconds === 0) return formatBelowSecond(nanos);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const last = `${decimal(seconds % 60, nanos, 9)}s`;
  if (hours > 0) return `${hours}h${minutes}m${last}`;
  return minutes > 0 ? `${minutes}m${last}` : last;
}

function formatBelowSecond(nanos: number): string {
  if (nanos < 1000) return `${nanos}ns`;
  if (nanos < 1e6) return `${decimal(Math.floor(nanos / 1000), nanos % 1000, 3)}µs`;
  return `${decimal(Math.floor(nanos / 1e6), nanos % 1e6, 6)}ms`;
}

function decimal(units: number, fraction: number, digits: number): string {
  if (fraction === 0) return String(units);
  return `${units}.${trimRight(String(fraction).padStart(digits, "0"), "0")}`;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

interface Precision {
  /** Applies to durations shorter than this. */
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
  // A small negative age is clock skew between machines, not an error.
  if (!(durationMs > -2 * second)) return "<invalid>";
  if (durationMs < second) return "0s";
  const precision = precisions.find(({ belowMs }) => durationMs < belowMs);
  if (precision === undefined) return "<invalid>";
  const shown = `${Math.floor(durationMs / precision.unitMs)}${precision.unit}`;
  if (precision.finerMs === undefined) return shown;
  const finer = Math.floor((durationMs % precision.unitMs) / precision.finerMs);
  return finer === 0 ? shown : `${shown}${finer}${precision.finer}`;
}
