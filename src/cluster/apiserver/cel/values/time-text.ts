import { trimRight } from "../../../../api/trim-right.ts";
import { Duration, Timestamp } from "./cel-value.ts";

const nanosPerSecond = 1_000_000_000n;
const pattern = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?([Zz]|[+-]\d{2}:\d{2})$/;
// From the year 1 to the end of the year 9999.
const earliest = -62_135_596_800n * nanosPerSecond;
const latest = 253_402_300_799n * nanosPerSecond + 999_999_999n;

/** Reads a time by RFC 3339; `undefined` if it is none. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = "", zone = "Z"] = match;
  const parts = [year, month, day, hour, minute, second].map(Number);
  const ms = utcMs(parts);
  if (ms === undefined) return undefined;
  const nanos = BigInt(fraction.slice(0, 9).padEnd(9, "0"));
  return timestampIn(BigInt(ms) * 1_000_000n + nanos - offsetOf(zone) * nanosPerSecond);
}

/** Returns a point in time, if it is in a year that can be written. */
export function timestampIn(nanos: bigint): Timestamp | undefined {
  return nanos < earliest || nanos > latest ? undefined : new Timestamp(nanos);
}

/** Milliseconds since 1970 of a date and time that exist. */
function utcMs(parts: readonly number[]): number | undefined {
  const [year, month, day, hour, minute, second] = parts as [number, number, number, number, number, number];
  const limits = [9999, 12, daysIn(year, month), 23, 59, 59];
  const isRight = parts.every((part, index) => part <= (limits[index] ?? 0)) && month >= 1 && day >= 1;
  if (!isRight) return undefined;
  return daysSince1970(year, month, day) * 86_400_000 + ((hour * 60 + minute) * 60 + second) * 1000;
}

export function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

export function daysIn(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Counts days in the calendar whose years begin in March, where leap days come last. */
function daysSince1970(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return (
    era * 146_097 +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear -
    719_468
  );
}

/** A point in time as calendar and clock show it. */
export interface CivilTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly nanos: number;
  readonly dayOfWeek: number;
  readonly dayOfYear: number;
}

/** Returns the calendar and the clock of a time, at an offset of seconds. */
export function civilTime({ nanos }: Timestamp, offset = 0n): CivilTime {
  const total = nanos + offset * nanosPerSecond;
  const seconds = floorDivide(total, nanosPerSecond);
  const days = Number(floorDivide(seconds, 86_400n));
  const inDay = Number(seconds - BigInt(days) * 86_400n);
  const { year, month, day } = dateOf(days);
  return {
    year,
    month,
    day,
    hours: Math.floor(inDay / 3600),
    minutes: Math.floor(inDay / 60) % 60,
    seconds: inDay % 60,
    nanos: Number(total - seconds * nanosPerSecond),
    dayOfWeek: (((days + 4) % 7) + 7) % 7,
    dayOfYear: days - daysSince1970(year, 1, 1),
  };
}

function dateOf(days: number) {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return { year, month, day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1 };
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

function offsetOf(zone: string): bigint {
  if (/^[Zz]$/.test(zone)) return 0n;
  const seconds = BigInt(zone.slice(1, 3)) * 3600n + BigInt(zone.slice(4, 6)) * 60n;
  return zone.startsWith("-") ? -seconds : seconds;
}

/** Writes a time by RFC 3339. */
export function formatTimestamp(time: Timestamp): string {
  const { year, month, day, hours, minutes, seconds, nanos } = civilTime(time);
  const two = (value: number) => String(value).padStart(2, "0");
  const fraction = nanos === 0 ? "" : `.${trimRight(String(nanos).padStart(9, "0"), "0")}`;
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T${two(hours)}:${two(minutes)}:${two(seconds)}${fraction}Z`;
}

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: nanosPerSecond,
  m: 60n * nanosPerSecond,
  h: 3_600n * nanosPerSecond,
};

/** Reads a duration such as `1h30m` as Go does; `undefined` if it is none. */
export function parseDuration(text: string): Duration | undefined {
  const sign = text.startsWith("-") ? -1n : 1n;
  const body = text.replace(/^[+-]/, "");
  if (body === "0") return new Duration(0n);
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(body)) return undefined;
  const parts = Array.from(body.matchAll(/([\d.]+)(ns|us|µs|μs|ms|s|m|h)/gy), ([, amount = "", unit = ""]) =>
    nanosIn(amount, units[unit] ?? 0n),
  );
  const nanos = sign * parts.reduce((sum, part) => sum + part, 0n);
  return BigInt.asIntN(64, nanos) === nanos ? new Duration(nanos) : undefined;
}

function nanosIn(amount: string, scale: bigint): bigint {
  const [leading = "", fraction = ""] = amount.split(".");
  // More digits than any duration has would take long to become a number, which is too large anyway.
  const whole = leading.replace(/^0+/, "").slice(0, 40);
  const digits = fraction.slice(0, 18);
  const part = digits === "" ? 0n : (BigInt(digits) * scale) / 10n ** BigInt(digits.length);
  return BigInt(`0${whole}`) * scale + part;
}

/** Writes a duration in seconds. */
export function formatDuration({ nanos }: Duration): string {
  const absolute = nanos < 0n ? -nanos : nanos;
  const fraction = trimRight(String(absolute % nanosPerSecond).padStart(9, "0"), "0");
  return `${nanos < 0n ? "-" : ""}${absolute / nanosPerSecond}${fraction === "" ? "" : `.${fraction}`}s`;
}
