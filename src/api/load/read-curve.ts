import { parseDuration } from "../duration.ts";
import { invalid, notSupported, required } from "../field-error.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { parseQuantity } from "../quantity/quantity.ts";
import { type LoadCurve, type LoadMark, type LoadOrigin, loadOrigins } from "./load.ts";
import { type Errors, memberOf, rejectUnknown } from "./reading.ts";

const dayMs = 24 * 3_600_000;
const shapes = ["steps", "points", "wave"] as const;

/** Reads a curve: an amount, or an object with `steps`, `points` or `wave`. */
export function readCurve(value: unknown, path: string, errors: Errors): LoadCurve | undefined {
  if (!isJsonObject(value)) {
    const amount = readAmount(value, path, errors);
    return amount === undefined ? undefined : { kind: "constant", value: amount };
  }
  const [shape, ...more] = shapes.filter((each) => value[each] !== undefined);
  if (shape === undefined || more.length > 0) {
    errors.push(invalid(path, value, "must have exactly one of steps, points and wave"));
    return undefined;
  }
  const since = readOrigin(value["since"], memberOf(path, "since"), errors);
  if (shape === "wave") {
    rejectUnknown(value, { path, known: ["wave", "since"] }, errors);
    return readWave(value["wave"], { path: memberOf(path, "wave"), since }, errors);
  }
  rejectUnknown(value, { path, known: [shape, "every", "since"] }, errors);
  return readMarks(value, { kind: shape, path, since }, errors);
}

/** Reads an amount of a metric: a Kubernetes quantity that is not negative. */
export function readAmount(value: unknown, path: string, errors: Errors): number | undefined {
  const detail = "must be an amount such as 500m, 2 or 1Gi, not negative";
  const quantity = typeof value === "string" || typeof value === "number" ? parseQuantity(value) : undefined;
  if (quantity !== undefined && quantity.nanos >= 0n) return Number(quantity.nanos) / 1e9;
  errors.push(value === undefined ? required(path, detail) : invalid(path, value, detail));
  return undefined;
}

function readOrigin(value: unknown, path: string, errors: Errors): LoadOrigin {
  if (value === undefined || value === "Midnight") return "Midnight";
  if (value !== "Creation") errors.push(notSupported(path, value, loadOrigins));
  return "Creation";
}

/** Reads a time of a curve. */
function readTime(value: unknown, path: string, errors: Errors): number | undefined {
  const time = typeof value === "string" ? parseDuration(value) : undefined;
  if (time !== undefined && time >= 0) return time;
  const detail = "must be a duration such as 90s or 8h30m, not negative";
  errors.push(value === undefined ? required(path, detail) : invalid(path, value, detail));
  return undefined;
}

interface MarksPlace {
  readonly kind: "steps" | "points";
  readonly path: string;
  readonly since: LoadOrigin;
}

function readMarks(
  value: JsonObject,
  { kind, path, since }: MarksPlace,
  errors: Errors,
): LoadCurve | undefined {
  const everyMs = readEvery(value["every"], { path: memberOf(path, "every"), since }, errors);
  const list = value[kind];
  const at = memberOf(path, kind);
  if (!Array.isArray(list) || list.length === 0) {
    errors.push(invalid(at, list, "must be a list of at least one { at, value }"));
    return undefined;
  }
  const marks: LoadMark[] = [];
  for (const [index, entry] of list.entries()) {
    const mark = readMark(entry, `${at}[${index}]`, errors);
    if (mark === undefined) continue;
    const problem = orderProblem(mark, marks.at(-1), everyMs);
    if (problem !== undefined) errors.push(invalid(`${at}[${index}].at`, entry.at, problem));
    marks.push(mark);
  }
  return { kind, marks, ...(everyMs !== undefined && { everyMs }), since };
}

function orderProblem(
  { atMs }: LoadMark,
  before: LoadMark | undefined,
  everyMs: number | undefined,
): string | undefined {
  if (before !== undefined && atMs <= before.atMs) return "must be later than the one before";
  return everyMs !== undefined && atMs >= everyMs ? "must be before the curve begins anew" : undefined;
}

/** Times after midnight begin anew every day, times after the creation never, unless the curve says otherwise. */
function readEvery(
  value: unknown,
  { path, since }: { readonly path: string; readonly since: LoadOrigin },
  errors: Errors,
): number | undefined {
  if (value === undefined) return since === "Midnight" ? dayMs : undefined;
  const every = readTime(value, path, errors);
  if (every === 0) errors.push(invalid(path, value, "must be longer than nothing"));
  return every;
}

function readMark(value: unknown, path: string, errors: Errors): LoadMark | undefined {
  if (!isJsonObject(value)) {
    errors.push(invalid(path, value, "must be an object with at and value"));
    return undefined;
  }
  rejectUnknown(value, { path, known: ["at", "value"] }, errors);
  const atMs = readTime(value["at"], memberOf(path, "at"), errors);
  const amount = readAmount(value["value"], memberOf(path, "value"), errors);
  return atMs === undefined || amount === undefined ? undefined : { atMs, value: amount };
}

function readWave(
  value: unknown,
  { path, since }: { readonly path: string; readonly since: LoadOrigin },
  errors: Errors,
): LoadCurve | undefined {
  if (!isJsonObject(value)) {
    errors.push(invalid(path, value, "must be an object with low and high"));
    return undefined;
  }
  rejectUnknown(value, { path, known: ["low", "high", "period", "peakAt"] }, errors);
  const low = readAmount(value["low"], memberOf(path, "low"), errors);
  const high = readAmount(value["high"], memberOf(path, "high"), errors);
  const { period = "24h", peakAt } = value;
  const periodMs = readTime(period, memberOf(path, "period"), errors);
  if (periodMs === 0) errors.push(invalid(memberOf(path, "period"), period, "must be longer than nothing"));
  const peakAtMs = peakAt === undefined ? undefined : readTime(peakAt, memberOf(path, "peakAt"), errors);
  if (low === undefined || high === undefined || periodMs === undefined) return undefined;
  if (low > high) errors.push(invalid(memberOf(path, "low"), value["low"], "must not be above high"));
  return { kind: "wave", low, high, periodMs, peakAtMs: peakAtMs ?? periodMs / 2, since };
}
