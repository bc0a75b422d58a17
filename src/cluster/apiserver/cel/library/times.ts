import { int } from "../types/cel-type.ts";
import { CelError, type CelValue } from "../values/cel-value.ts";
import { type CivilTime, civilTime } from "../values/time-text.ts";
import { zoneOffset } from "../values/time-zone.ts";
import type { Timestamp } from "../values/cel-value.ts";
import { type CelFunction, instant, method, period, text } from "./overload.ts";

/** What is asked of a time. */
const parts: Readonly<Record<string, (time: CivilTime) => number>> = {
  getFullYear: ({ year }) => year,
  getMonth: ({ month }) => month - 1,
  getDate: ({ day }) => day,
  getDayOfMonth: ({ day }) => day - 1,
  getDayOfWeek: ({ dayOfWeek }) => dayOfWeek,
  getDayOfYear: ({ dayOfYear }) => dayOfYear,
  getHours: ({ hours }) => hours,
  getMinutes: ({ minutes }) => minutes,
  getSeconds: ({ seconds }) => seconds,
  getMilliseconds: ({ nanos }) => Math.floor(nanos / 1_000_000),
};

/** What is asked of a duration: the nanoseconds of a unit. */
const units: Readonly<Record<string, bigint>> = {
  getHours: 3_600_000_000_000n,
  getMinutes: 60_000_000_000n,
  getSeconds: 1_000_000_000n,
  getMilliseconds: 1_000_000n,
};

export const timeFunctions: readonly CelFunction[] = Object.entries(parts).map(([name, part]) => {
  const unit = units[name];
  return {
    name,
    overloads: [
      method({ id: `timestamp_${name}`, takes: [instant], gives: int }, (time) =>
        BigInt(part(civilTime(time))),
      ),
      method({ id: `timestamp_${name}_with_tz`, takes: [instant, text], gives: int }, (time, zone) =>
        inZone(time, zone, part),
      ),
      ...(unit === undefined
        ? []
        : [method({ id: `duration_${name}`, takes: [period], gives: int }, ({ nanos }) => nanos / unit)]),
    ],
  };
});

function inZone(time: Timestamp, zone: string, part: (time: CivilTime) => number): CelValue {
  const offset = zoneOffset(zone, time);
  return offset.ok ? BigInt(part(civilTime(time, offset.seconds))) : new CelError(offset.why);
}
