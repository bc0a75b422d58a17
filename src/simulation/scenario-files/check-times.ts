import { type FieldError, forbidden, invalid, required } from "../../api/field-error.ts";
import { parseDuration } from "../../api/duration.ts";
import { type Limits, subjectNames } from "./assertion-schema.ts";
import type {
  AssertionDocument,
  EventDocument,
  ScenarioDocument,
  WorkDocument,
} from "./scenario-document.ts";
import { longestHours } from "./scenario-schema.ts";
import { scenarioDuration, millisecondsOf, timesOf } from "./scenario-times.ts";

/** What no schema can say: times in their order, and members that need or exclude each other. */
export function checkTimes(scenario: ScenarioDocument): readonly FieldError[] {
  const { duration, events = [], assertions = [], work = [], pickers = [] } = scenario;
  const lengthMs = scenarioDuration(scenario);
  return [
    ...(lengthMs > longestHours * 3_600_000
      ? [invalid("duration", duration, `must be at most ${longestHours}h`)]
      : []),
    ...(duration !== undefined && lengthMs === 0
      ? [invalid("duration", duration, "must be longer than 0s")]
      : []),
    ...events.flatMap((event, index) => eventErrors(event, `events[${index}]`, lengthMs)),
    ...assertions.flatMap((assertion, index) => assertionErrors(assertion, `assertions[${index}]`, lengthMs)),
    ...work.flatMap((entry, index) => workErrors(entry, `work[${index}]`)),
    ...pickers.flatMap(({ delay }, index) => rangeErrors(delay, `pickers[${index}].delay`)),
    ...pickers.flatMap(({ outages = [] }, index) =>
      outages.flatMap(({ from, until }, at) =>
        until !== undefined && millisecondsOf(until) <= millisecondsOf(from)
          ? [invalid(`pickers[${index}].outages[${at}].until`, until, `must be after ${from}`)]
          : [],
      ),
    ),
  ];
}

function eventErrors(event: EventDocument, path: string, lengthMs: number): readonly FieldError[] {
  const { every, times, label, annotate } = event;
  const { labels = {} } = label ?? {};
  const { annotations = {} } = annotate ?? {};
  return [
    ...latenessErrors(event, path, lengthMs),
    ...(every !== undefined && times === undefined ? [required(`${path}.times`, "goes with every")] : []),
    ...(times !== undefined && every === undefined ? [required(`${path}.every`, "goes with times")] : []),
    ...trueValues(labels, `${path}.label.labels`),
    ...trueValues(annotations, `${path}.annotate.annotations`),
  ];
}

function latenessErrors(event: EventDocument, path: string, lengthMs: number): readonly FieldError[] {
  const moments = timesOf(event);
  if ((moments.at(-1) ?? 0) <= lengthMs) return [];
  const field = (moments[0] ?? 0) > lengthMs ? `${path}.at` : `${path}.times`;
  return [invalid(field, event.at, "must be before the end of the scenario: see duration")];
}

function trueValues(map: Readonly<Record<string, string | boolean>>, path: string): readonly FieldError[] {
  return Object.entries(map)
    .filter(([, value]) => value === true)
    .map(([name, value]) =>
      invalid(`${path}.${name}`, value, "must be a text in quotes, or false to remove it"),
    );
}

function assertionErrors(
  assertion: AssertionDocument,
  path: string,
  lengthMs: number,
): readonly FieldError[] {
  const { workload, selector } = assertion;
  const ofWorkload = ["complete", "terminatingReplicas"].find((name) => Object.hasOwn(assertion, name));
  return [
    ...windowErrors(assertion, path, lengthMs),
    ...(workload !== undefined && selector !== undefined
      ? [forbidden(`${path}.selector`, "may not be there together with workload")]
      : []),
    ...(ofWorkload !== undefined && workload === undefined
      ? [required(`${path}.workload`, `${ofWorkload} is about a workload`)]
      : []),
    ...subjectNames.flatMap((name) => {
      const limits = name === "complete" ? undefined : assertion[name];
      return limits === undefined ? [] : limitErrors(limits, `${path}.${name}`);
    }),
  ];
}

function windowErrors(assertion: AssertionDocument, path: string, lengthMs: number): readonly FieldError[] {
  return [
    ...(["from", "until", "at"] as const).flatMap((name) =>
      momentErrors(name, assertion[name], { path: `${path}.${name}`, lengthMs }),
    ),
    ...orderErrors(assertion, path),
    ...(assertion.at === undefined ? [] : exclusive(assertion, path, "at")),
    ...completionErrors(assertion, path, lengthMs),
  ];
}

function momentErrors(
  name: "from" | "until" | "at",
  value: string | undefined,
  { path, lengthMs }: { readonly path: string; readonly lengthMs: number },
): readonly FieldError[] {
  if (value === undefined || value === "end") return [];
  const moment = parseDuration(value);
  if (moment === undefined) return [invalid(path, value, "must be a duration such as 5m, or end")];
  const isBeforeEnd = name === "from" ? moment < lengthMs : moment <= lengthMs;
  return isBeforeEnd ? [] : [invalid(path, value, "must be before the end of the scenario: see duration")];
}

/** What ends where it begins would be checked before it has begun. */
function orderErrors({ from, until, at }: AssertionDocument, path: string): readonly FieldError[] {
  if (from === undefined) return [];
  return Object.entries({ until, at }).flatMap(([name, end]) =>
    end === undefined || end === "end" || millisecondsOf(end) > millisecondsOf(from)
      ? []
      : [invalid(`${path}.${name}`, end, `must be after from, ${from}`)],
  );
}

function completionErrors(
  assertion: AssertionDocument,
  path: string,
  lengthMs: number,
): readonly FieldError[] {
  const { complete, from = "0" } = assertion;
  if (complete === undefined) return [];
  const { within } = complete;
  const isLate = millisecondsOf(from) + millisecondsOf(within) > lengthMs;
  return [
    ...(millisecondsOf(within) === 0
      ? [invalid(`${path}.complete.within`, within, "must be longer than 0s")]
      : []),
    ...(isLate
      ? [invalid(`${path}.complete.within`, within, "must be before the end of the scenario: see duration")]
      : []),
    ...exclusive({ ...assertion, from: undefined }, path, "complete"),
  ];
}

/** Members that mean nothing beside another one. */
function exclusive(
  assertion: { readonly [Name in "from" | "until" | "for" | "at"]?: string | undefined },
  path: string,
  beside: "at" | "complete",
): readonly FieldError[] {
  return (["from", "until", "for", "at"] as const)
    .filter((name) => name !== beside && assertion[name] !== undefined)
    .filter((name) => !(beside === "at" && name === "from"))
    .map((name) => forbidden(`${path}.${name}`, `may not be there together with ${beside}`));
}

function limitErrors(limits: Limits, path: string): readonly FieldError[] {
  const { atMost, atLeast, exactly } = limits;
  const bound = atMost ?? atLeast;
  if (bound === undefined)
    return exactly === undefined ? [required(path, "needs atMost, atLeast or exactly")] : [];
  if (exactly !== undefined)
    return [forbidden(`${path}.exactly`, "may not be there together with atMost and atLeast")];
  if (atMost !== undefined && atLeast !== undefined && atLeast > atMost)
    return [invalid(`${path}.atLeast`, atLeast, `must not be more than atMost, ${atMost}`)];
  return [];
}

function workErrors(entry: WorkDocument, path: string): readonly FieldError[] {
  const modes = (["first", "share", "busyFor"] as const).filter((name) => entry[name] !== undefined);
  const { busyFor, idleFor } = entry;
  return [
    ...(["busyFor", "idleFor", "tasks"] as const).flatMap((name) =>
      rangeErrors(entry[name], `${path}.${name}`),
    ),
    ...(modes.length > 1
      ? [forbidden(`${path}.${modes[1] ?? ""}`, `may not be there together with ${modes[0] ?? ""}`)]
      : []),
    ...(busyFor !== undefined && idleFor === undefined
      ? [required(`${path}.idleFor`, "goes with busyFor")]
      : []),
    ...(idleFor !== undefined && busyFor === undefined
      ? [required(`${path}.busyFor`, "goes with idleFor")]
      : []),
  ];
}

/** A range of durations or numbers, where the text is one. */
function rangeErrors(text: string | number | undefined, path: string): readonly FieldError[] {
  const [low = 0, high] = String(text)
    .split("..")
    .map((end) => parseDuration(end) ?? Number(end));
  return high === undefined || low <= high
    ? []
    : [invalid(path, text, "must be a range from the smaller to the larger")];
}
