import { parseDuration } from "./duration.ts";

/** What one field of a schedule may hold. */
interface CronField {
  readonly min: number;
  readonly max: number;
  /** The name at index n means `min + n`. */
  readonly names?: readonly string[];
}

const fields: readonly CronField[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  {
    min: 1,
    max: 12,
    names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  },
  { min: 0, max: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];
/** The schedules that have a name, as fields. */
const descriptors: ReadonlyMap<string, string> = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);
const every = "@every ";

/** When something is due: at times of the calendar, or again and again after an interval. */
export type CronSchedule =
  /** The values of minute, hour, day of the month, month and day of the week; `*` for any. */
  | { readonly kind: "calendar"; readonly fields: readonly (readonly number[] | "*")[] }
  | { readonly kind: "interval"; readonly intervalMs: number };

/** Reads a schedule of five fields or a descriptor such as `@daily`; a text says why it is none. */
// upstream: the rules and messages are those of robfig/cron, which Kubernetes shows to users
export function parseCronSchedule(schedule: string): CronSchedule | string {
  if (schedule.startsWith("@")) return parseDescriptor(schedule);
  const found = schedule.split(/\s+/).filter((text) => text !== "");
  if (found.length !== fields.length)
    return `expected exactly ${fields.length} fields, found ${found.length}: [${found.join(" ")}]`;
  const values: (readonly number[] | "*")[] = [];
  for (const [index, field] of fields.entries()) {
    const parsed = parseField(found[index] ?? "", field);
    if (typeof parsed === "string") return parsed;
    values.push(parsed.isAny ? "*" : parsed.values);
  }
  return { kind: "calendar", fields: values };
}

/** Explains why a text is not a schedule; `undefined` when it is one. */
export function cronScheduleProblem(schedule: string): string | undefined {
  const parsed = parseCronSchedule(schedule);
  return typeof parsed === "string" ? parsed : undefined;
}

function parseDescriptor(text: string): CronSchedule | string {
  const named = descriptors.get(text);
  if (named !== undefined) return parseCronSchedule(named);
  if (!text.startsWith(every)) return `unrecognized descriptor: ${text}`;
  const duration = text.slice(every.length);
  const intervalMs = parseDuration(duration);
  if (intervalMs === undefined)
    return `failed to parse duration ${text}: time: invalid duration ${JSON.stringify(duration)}`;
  // Whole seconds, and at least one.
  return { kind: "interval", intervalMs: Math.max(1000, intervalMs - (intervalMs % 1000)) };
}

interface CronValues {
  readonly values: readonly number[];
  readonly isAny: boolean;
}

/** The values of a field; a text is the problem. */
function parseField(text: string, field: CronField): CronValues | string {
  const values = new Set<number>();
  let isAny = false;
  for (const part of text.split(",").filter((range) => range !== "")) {
    const range = parseRange(part, field);
    if (typeof range === "string") return range;
    isAny ||= range.isAny;
    for (let value = range.start; value <= range.end; value += range.step) values.add(value);
  }
  return { values: [...values].sort((a, b) => a - b), isAny };
}

/** `N`, `N-M`, `*`, each with an optional `/step`; `N/step` goes on to the maximum. A text is the problem. */
function parseRange(text: string, field: CronField): CronRange | string {
  const [boundsText = "", stepText, ...moreSteps] = text.split("/");
  const bounds = boundsOf(boundsText, text, field);
  if (typeof bounds === "string") return bounds;
  if (moreSteps.length > 0) return `too many slashes: ${text}`;
  if (stepText === undefined) return inBounds({ text, step: 1, ...bounds }, field);
  const step = numberOf(stepText, { min: 0, max: 0 });
  if (typeof step === "string") return step;
  const end = boundsText.includes("-") ? bounds.end : field.max;
  return inBounds({ text, step, ...bounds, end, isAny: bounds.isAny && step === 1 }, field);
}

/** Where a range starts and ends; a text is the problem. */
function boundsOf(
  bounds: string,
  range: string,
  field: CronField,
): Pick<CronRange, "start" | "end" | "isAny"> | string {
  const [low = "", high, ...more] = bounds.split("-");
  if (low === "*" || low === "?") return { start: field.min, end: field.max, isAny: true };
  const start = numberOf(low, field);
  if (typeof start === "string") return start;
  if (more.length > 0) return `too many hyphens: ${range}`;
  const end = high === undefined ? start : numberOf(high, field);
  return typeof end === "string" ? end : { start, end, isAny: false };
}

interface CronRange {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly step: number;
  /** Whether it is `*`, which restricts nothing. */
  readonly isAny: boolean;
}

/** The range, if it lies within the field; otherwise the problem. */
function inBounds(range: CronRange, { min, max }: CronField): CronRange | string {
  const { text, start, end, step } = range;
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${text}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${text}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`;
  return step === 0 ? `step of range should be a positive number: ${text}` : range;
}

/** A number or one of the field's names; a text is the problem. */
function numberOf(text: string, { min, names = [] }: CronField): number | string {
  const named = names.indexOf(text.toLowerCase());
  if (named !== -1) return min + named;
  if (!/^[+-]?\d{1,9}$/.test(text))
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  const number = Number(text);
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number;
}
