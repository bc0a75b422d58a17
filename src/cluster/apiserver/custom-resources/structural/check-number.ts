import type { FieldError } from "../../../../api/field-error.ts";
import type { StructuralSchema } from "./structural-schema.ts";

type Bounds = Pick<
  StructuralSchema,
  | "type"
  | "intOrString"
  | "format"
  | "multipleOf"
  | "minimum"
  | "exclusiveMinimum"
  | "maximum"
  | "exclusiveMaximum"
>;

/** A problem of a number: one of its field, or one whose text names the place. */
export type NumberProblem = Pick<FieldError, "detail"> & { readonly value: number | undefined };

/** Checks a number against the range of its type, `multipleOf`, `minimum` and `maximum`, in this order. */
export function checkNumber(value: number, schema: Bounds, path: string): readonly NumberProblem[] {
  const range = rangeOf(schema);
  return [
    ...outOfRange(value, range, { subject: "Checked", path }),
    ...checkMultiple(value, schema, { range, path }),
    ...checkBound(value, boundOf(schema, "minimum"), { range, path }),
    ...checkBound(value, boundOf(schema, "maximum"), { range, path }),
  ];
}

interface Range {
  readonly type: string;
  readonly format: string | undefined;
  readonly holds: (value: number) => boolean;
}

const mostInt64 = 2 ** 63;

/** Returns what numbers a type can hold; a schema with no type or with two can hold all. */
function rangeOf({ type, intOrString, format }: Bounds): Range {
  if (type === "integer" && !intOrString) {
    const most = format === "int32" ? 2 ** 31 : mostInt64;
    const named = format === "int32" || format === "int64" ? format : undefined;
    return {
      type,
      format: named,
      holds: (value) => Number.isInteger(value) && value >= -most && value < most,
    };
  }
  if (type === "number" && !intOrString && format === "float")
    return { type, format, holds: (value) => Number.isFinite(Math.fround(value)) };
  return { type: type ?? "", format: undefined, holds: () => true };
}

interface Place {
  readonly range: Range;
  readonly path: string;
}

function outOfRange(
  value: number,
  range: Range,
  { subject, path }: { readonly subject: string; readonly path: string },
): readonly NumberProblem[] {
  if (range.holds(value)) return [];
  const named = range.format === undefined ? "(default format)" : `with format ${range.format}`;
  return [{ value: undefined, detail: `${subject} value must be of type ${range.type} ${named} in ${path}` }];
}

function checkMultiple(
  value: number,
  { multipleOf }: Bounds,
  { range, path }: Place,
): readonly NumberProblem[] {
  if (multipleOf === undefined) return [];
  const misfit = outOfRange(multipleOf, range, { subject: "MultipleOf", path });
  const isWhole = misfit.length === 0 && isInt64(value);
  const factor = isWhole ? Math.trunc(multipleOf) : multipleOf;
  if (factor <= 0) {
    const detail = `factor MultipleOf declared for ${path} must be positive: ${factor}`;
    return [...misfit, { value: factor, detail }];
  }
  if (isWhole ? value % factor === 0 : isNearlyWhole(factor < 1 ? (1 / factor) * value : value / factor))
    return misfit;
  return [...misfit, { value, detail: `${path} in body should be a multiple of ${factor}` }];
}

interface Bound {
  readonly subject: string;
  readonly limit: number;
  readonly fails: (value: number, limit: number) => boolean;
  readonly words: string;
}

function boundOf(schema: Bounds, which: "minimum" | "maximum"): Bound | undefined {
  const limit = schema[which];
  if (limit === undefined) return undefined;
  if (which === "minimum") {
    const isStrict = schema.exclusiveMinimum;
    return {
      subject: "Minimum boundary",
      limit,
      fails: (value, least) => (isStrict ? value <= least : value < least),
      words: isStrict ? "greater than" : "greater than or equal to",
    };
  }
  const isStrict = schema.exclusiveMaximum;
  return {
    subject: "Maximum boundary",
    limit,
    fails: (value, most) => (isStrict ? value >= most : value > most),
    words: isStrict ? "less than" : "less than or equal to",
  };
}

function checkBound(
  value: number,
  bound: Bound | undefined,
  { range, path }: Place,
): readonly NumberProblem[] {
  if (bound === undefined) return [];
  const misfit = outOfRange(bound.limit, range, { subject: bound.subject, path });
  // upstream: an integer is compared with the integer part of the limit.
  const limit = misfit.length === 0 && isInt64(value) ? Math.trunc(bound.limit) : bound.limit;
  if (!bound.fails(value, limit)) return misfit;
  return [...misfit, { value, detail: `${path} in body should be ${bound.words} ${limit}` }];
}

function isInt64(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= mostInt64;
}

/** Reports whether a quotient is whole, apart from what division of binary fractions loses. */
function isNearlyWhole(value: number): boolean {
  const rounded = Math.round(value);
  return Number.isFinite(value) && Math.abs(value - rounded) <= 1e-9 * Math.max(1, Math.abs(value));
}
