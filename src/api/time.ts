/** An instant in milliseconds since the epoch: what every decision and controller computes with. */
export type Instant = number;

// RFC 3339 as Go reads it; `Date.parse` would also take "March 7" and the thirtieth of February.
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const micro = /\.(\d{6})(?:Z|[+-]\d\d:\d\d)$/;

const daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];
const epochDay = dayNumber(1970, 1, 1);
const earliest = (dayNumber(1, 1, 1) - epochDay) * 86_400_000;
const latest = (dayNumber(10_000, 1, 1) - epochDay) * 86_400_000 - 1;

/** Reads an API timestamp to the millisecond; anything that is not one, null included, is `undefined`. */
export function parseTime(text: string | null | undefined): Instant | undefined {
  if (typeof text !== "string" || !rfc3339.test(text)) return undefined;
  const day = readDay(text);
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  const second = digits(text, 17, 2);
  const offset = readOffset(text);
  if (day === undefined || hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined;
  return (day * 86_400 + hour * 3600 + minute * 60 + second - offset) * 1000 + readMilliseconds(text);
}

function readDay(text: string): number | undefined {
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return dayNumber(year, month, day) - epochDay;
}

/** Days since the first of January of the year 0, in the Gregorian calendar. */
function dayNumber(year: number, month: number, day: number): number {
  const before = year - 1;
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400) + 1;
  const thisYear = (daysBeforeMonth[month - 1] ?? 0) + Number(month > 2 && isLeap(year));
  return year * 365 + leapDays + thisYear + day - 1;
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2 && isLeap(year)) return 29;
  return (daysBeforeMonth[month] ?? 0) - (daysBeforeMonth[month - 1] ?? 0);
}

function readMilliseconds(text: string): number {
  if (text[19] !== ".") return 0;
  const end = text.endsWith("Z") ? text.length - 1 : text.length - 6;
  return Number(text.slice(20, Math.min(end, 23)).padEnd(3, "0"));
}

/** Seconds east of Greenwich. */
function readOffset(text: string): number | undefined {
  if (text.endsWith("Z")) return 0;
  const hours = digits(text, text.length - 5, 2);
  const minutes = digits(text, text.length - 2, 2);
  if (hours > 23 || minutes > 59) return undefined;
  const magnitude = hours * 3600 + minutes * 60;
  return text[text.length - 6] === "-" ? -magnitude : magnitude;
}

function digits(text: string, from: number, count: number): number {
  let value = 0;
  for (let index = from; index < from + count; index++) value = value * 10 + text.charCodeAt(index) - 48;
  return value;
}

/** The last result: a busy cluster formats the same second thousands of times. */
let latestSecond = { second: Number.NaN, text: "" };

/** Writes an instant as Kubernetes' `Time`: UTC, whole seconds, truncated. */
export function formatTime(instant: Instant): string {
  const second = Math.floor(writable(instant) / 1000);
  if (second !== latestSecond.second)
    latestSecond = { second, text: `${isoText(second * 1000).slice(0, 19)}Z` };
  return latestSecond.text;
}

/** Writes an instant as Kubernetes' `MicroTime`: UTC, exactly six fraction digits. */
export function formatMicroTime(instant: Instant): string {
  const micros = Math.round(writable(instant) * 1000);
  const whole = Math.floor(micros / 1000);
  return `${isoText(whole).slice(0, 23)}${String(micros - whole * 1000).padStart(3, "0")}Z`;
}

/** Writes an instant for people, as Go's RFC 1123 with a numeric zone does: `Thu, 01 Jan 2026 00:00:00 +0000`. */
export function formatRfc1123(instant: Instant): string {
  return new Date(writable(instant)).toUTCString().replace("GMT", "+0000");
}

/** Returns the form in which an API server returns a `Time` it received; `undefined` when the text is not one. */
export function canonicalTime(text: string): string | undefined {
  const instant = parseTime(text);
  if (instant === undefined) return undefined;
  const isCanonical = text.length === canonicalLength && text.endsWith("Z") && instant >= earliest;
  return isCanonical ? text : formatTime(instant);
}

const canonicalLength = "2026-01-01T00:00:00Z".length;

/** Variant for a `MicroTime`, which Kubernetes reads only with exactly six fraction digits. */
export function canonicalMicroTime(text: string): string | undefined {
  const instant = parseTime(text);
  const fraction = micro.exec(text)?.[1];
  if (instant === undefined || fraction === undefined) return undefined;
  return `${isoText(instant).slice(0, 19)}.${fraction}Z`;
}

/** Years outside 1 to 9999 have no API form: clamps to the nearest year that has one, NaN to the first. */
function writable(instant: Instant): Instant {
  return Number.isNaN(instant) ? earliest : Math.min(Math.max(instant, earliest), latest);
}

function isoText(instant: Instant): string {
  return new Date(writable(instant)).toISOString();
}
