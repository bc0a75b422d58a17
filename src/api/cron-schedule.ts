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
const descriptors: ReadonlySet<string> = new Set([
  "@yearly",
  "@annually",
  "@monthly",
  "@weekly",
  "@daily",
  "@midnight",
  "@hourly",
]);
const every = "@every ";

/** Why a text is no schedule of five fields and no descriptor such as `@daily`; `undefined` when it is one. */
// upstream: the messages are those of robfig/cron, which Kubernetes shows to users
export function cronScheduleProblem(schedule: string): string | undefined {
  if (schedule.startsWith("@")) return descriptorProblem(schedule);
  const found = schedule.split(/\s+/).filter((text) => text !== "");
  if (found.length !== fields.length)
    return `expected exactly ${fields.length} fields, found ${found.length}: [${found.join(" ")}]`;
  for (const [index, field] of fields.entries()) {
    const problem = fieldProblem(found[index] ?? "", field);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function descriptorProblem(text: string): string | undefined {
  if (descriptors.has(text)) return undefined;
  if (!text.startsWith(every)) return `unrecognized descriptor: ${text}`;
  const duration = text.slice(every.length);
  if (parseDuration(duration) !== undefined) return undefined;
  return `failed to parse duration ${text}: time: invalid duration ${JSON.stringify(duration)}`;
}

function fieldProblem(text: string, field: CronField): string | undefined {
  for (const range of text.split(",")) {
    const problem = range === "" ? undefined : rangeProblem(range, field);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** `N`, `N-M`, `*`, each with an optional `/step`; `N/step` goes on to the maximum. */
function rangeProblem(text: string, field: CronField): string | undefined {
  const [boundsText = "", stepText, ...moreSteps] = text.split("/");
  const bounds = boundsOf(boundsText, text, field);
  if (typeof bounds === "string") return bounds;
  if (moreSteps.length > 0) return `too many slashes: ${text}`;
  if (stepText === undefined) return boundsProblem({ text, step: 1, ...bounds }, field);
  const step = numberOf(stepText, { min: 0, max: 0 });
  if (typeof step === "string") return step;
  const end = boundsText.includes("-") ? bounds.end : field.max;
  return boundsProblem({ text, step, ...bounds, end }, field);
}

/** Where a range starts and ends; a text is the problem. */
function boundsOf(
  bounds: string,
  range: string,
  field: CronField,
): Pick<CronRange, "start" | "end"> | string {
  const [low = "", high, ...more] = bounds.split("-");
  if (low === "*" || low === "?") return { start: field.min, end: field.max };
  const start = numberOf(low, field);
  if (typeof start === "string") return start;
  if (more.length > 0) return `too many hyphens: ${range}`;
  const end = high === undefined ? start : numberOf(high, field);
  return typeof end === "string" ? end : { start, end };
}

interface CronRange {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

function boundsProblem({ text, start, end, step }: CronRange, { min, max }: CronField): string | undefined {
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${text}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${text}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`;
  return step === 0 ? `step of range should be a positive number: ${text}` : undefined;
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
