import {
  anyText,
  choice,
  type DocumentOf,
  type DocumentSchema,
  duration,
  either,
  exactlyOneOf,
  type Incomplete,
  int64,
  list,
  map,
  number,
  record,
  text,
} from "../documents/document-schema.ts";
import { shareSchema } from "../documents/share-schema.ts";
import { parseDuration } from "../duration.ts";
import { type FieldError, forbidden, invalid } from "../field-error.ts";
import { dns1123LabelProblems, pathSegmentProblems } from "../names.ts";
import { parseQuantity } from "../quantity/quantity.ts";
import { loadDistributions, type LoadOrigin, loadOrigins } from "./load.ts";

const amountMessage = "must be an amount such as 500m, 2 or 1Gi, not negative";

/** A quantity of any length and exponent matches the pattern; not all of them can be read. */
const readable = {
  errorMessage: amountMessage,
  check: (value: number | string, path: string) =>
    parseQuantity(value) === undefined ? [invalid(path, value, amountMessage)] : [],
};
const amountNumber = number("A plain amount.", { minimum: 0, ...readable });
const amountText = anyText("A quantity.", {
  pattern: "^\\+?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,3})?$",
  ...readable,
});

/** An amount of a metric: a Kubernetes quantity that is not negative. */
const amount = (description: string) => either(description, amountMessage, [amountNumber, amountText]);

const mark = record(
  "A value at a time.",
  { at: duration("The time after `since`."), value: amount("The amount then.") },
  { required: ["at", "value"] },
);

/** A value at a point in time. */
export type MarkDocument = DocumentOf<typeof mark>;

const marks = (description: string) => list(description, mark, { minItems: 1 });

const wave = record(
  "A sine.",
  {
    low: amount("Its lowest value."),
    high: amount("Its highest value."),
    period: duration("From peak to peak; `24h` unless said otherwise."),
    peakAt: duration("When it is highest; in the middle of the period unless said otherwise."),
  },
  {
    required: ["low", "high"],
    check: ({ low, high, period }, path) => [
      ...positive(period, `${path}.period`),
      ...(low !== undefined && high !== undefined && metricAmount(low) > metricAmount(high)
        ? [invalid(`${path}.low`, low, "must not be above high")]
        : []),
    ],
  },
);

const curve = record(
  "A value that changes over time: `steps`, `points` or `wave`.",
  {
    steps: marks("Values that hold until the next, by rising time."),
    points: marks("Values that are joined by straight lines, by rising time."),
    wave,
    every: duration(
      "When `steps` or `points` begin anew; daily after midnight, and never after the creation, unless said otherwise.",
    ),
    since: choice(
      "What times are counted from: midnight (UTC), where a scenario without a snapshot begins, or the creation of the object; `Midnight` unless said otherwise.",
      loadOrigins,
    ),
  },
  {
    ...exactlyOneOf(["steps", "points", "wave"]),
    check: (value, path) => [
      ...positive(value.every, `${path}.every`),
      ...(value.wave !== undefined && value.every !== undefined
        ? [forbidden(`${path}.every`, "goes with steps or points; a wave has a period")]
        : []),
      ...orderErrors(value.steps ?? [], `${path}.steps`, periodOf(value)),
      ...orderErrors(value.points ?? [], `${path}.points`, periodOf(value)),
    ],
  },
);

/** A curve as it is written. */
export type CurveDocument = DocumentOf<typeof curve>;

const amountOrCurve = (description: string) =>
  either(description, "must be an amount such as 500m, 2 or 1Gi, or an object with steps, points or wave", [
    amountNumber,
    amountText,
    curve,
  ]);

const metricLoad = record(
  "The load in one metric.",
  {
    total: amountOrCurve("Of all ready Pods together: an amount, or a curve."),
    perPod: amountOrCurve("Of each ready Pod: an amount, or a curve."),
    distribution: choice(
      "How it is divided among Pods: evenly, most of it to few (`skew`), or by their annotations `sim.trimtab.dev/loadWeight`; `Even` unless said otherwise.",
      loadDistributions,
    ),
    skew: shareSchema("With `Skewed`, from 0 (even) to 1 (exponential); 0.5 unless said otherwise."),
    noise: shareSchema("By which share it goes up and down at random."),
    noiseEvery: duration("How long a random number holds, with `noise`; `1m` unless said otherwise."),
    idle: amount("What a running Pod uses besides, ready or not."),
    container: text("The container that has the load; the first unless said otherwise.", {
      check: (name, path) => dns1123LabelProblems(name).map((problem) => invalid(path, name, problem)),
    }),
    seed: either(
      "Other random numbers than another load with the same seed of the scenario.",
      "must be a text or a whole number",
      [anyText("A text."), int64("A number.")],
    ),
  },
  {
    ...exactlyOneOf(["total", "perPod"]),
    errorMessage: "must be an object with total or perPod",
    check: ({ distribution, skew, noise, noiseEvery }, path) => [
      ...(skew !== undefined && distribution !== "Skewed"
        ? [invalid(`${path}.skew`, skew, "needs the distribution Skewed")]
        : []),
      ...(noiseEvery !== undefined && noise === undefined
        ? [invalid(`${path}.noiseEvery`, noiseEvery, "needs noise")]
        : []),
      ...(noiseEvery !== undefined && timeOf(noiseEvery) < 1000
        ? [invalid(`${path}.noiseEvery`, noiseEvery, "must be a duration of at least 1s")]
        : []),
    ],
  },
);

/** The load in one metric as it is written. */
export type MetricLoadDocument = DocumentOf<typeof metricLoad>;

/** A load, by the name of the metric, as annotations and scenario files have it. */
export const loadSchema: DocumentSchema<Readonly<Record<string, MetricLoadDocument>>> = map(
  "The load by metric: `cpu` in cores, `memory` in bytes, or any other name.",
  metricLoad,
  {
    errorMessage: "must be an object with a member for each metric, such as cpu",
    check: (metrics, path) =>
      Object.keys(metrics).flatMap((name) =>
        pathSegmentProblems(name).map((problem) =>
          invalid(path === "" ? name : `${path}.${name}`, name, problem),
        ),
      ),
  },
);

/** Converts an amount to a number. */
export function metricAmount(amount: number | string): number {
  return Number(parseQuantity(amount)?.nanos ?? 0n) / 1e9;
}

/** Converts a duration to milliseconds. */
export function timeOf(duration: string): number {
  return parseDuration(duration) ?? 0;
}

const dayMs = 24 * 3_600_000;

interface Period {
  readonly every?: string | undefined;
  readonly since?: LoadOrigin | undefined;
}

/** Times after midnight repeat every day and times after the creation do not, unless the curve says otherwise. */
export function periodOf({ every, since = "Midnight" }: Period): number | undefined {
  if (every !== undefined) return timeOf(every);
  return since === "Midnight" ? dayMs : undefined;
}

function positive(duration: string | undefined, path: string): readonly FieldError[] {
  return duration !== undefined && timeOf(duration) === 0
    ? [invalid(path, duration, "must be longer than 0s")]
    : [];
}

function orderErrors(
  marks: readonly Incomplete<MarkDocument>[],
  path: string,
  everyMs: number | undefined,
): readonly FieldError[] {
  let latest = Number.NEGATIVE_INFINITY;
  return marks.flatMap(({ at }, index) => {
    if (at === undefined) return [];
    const atMs = timeOf(at);
    const isLater = atMs > latest;
    latest = Math.max(latest, atMs);
    const field = `${path}[${index}].at`;
    if (!isLater) return [invalid(field, at, "must be later than the one before")];
    return everyMs !== undefined && atMs >= everyMs
      ? [invalid(field, at, "must be before the curve begins anew")]
      : [];
  });
}
