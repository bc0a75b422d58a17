/** The largest whole number of 32 bits: the API holds no larger count. */
export const maxInt32 = 2_147_483_647;

/** A number, or a percentage such as `25%`. */
export type IntOrString = number | string;

const percentage = /^([0-9]+)%$/;

/**
 * Resolves a number or percentage against a total; `undefined` when it is neither.
 * The product is taken before the division: 7 % of 100 is 7, not 100 · 0.07 rounded up to 8.
 */
export function scaledValue(
  value: IntOrString | null | undefined,
  total: number,
  round: "up" | "down",
): number | undefined {
  if (value === undefined || value === null) return 0;
  if (typeof value === "number") return Number.isInteger(value) ? value : undefined;
  const percent = percentOf(value);
  if (percent === undefined) return undefined;
  const scaled = (percent * total) / 100;
  return round === "up" ? Math.ceil(scaled) : Math.floor(scaled);
}

/** The number before the `%`, or `undefined` when the text is not a percentage. */
export function percentOf(text: string): number | undefined {
  const digits = percentage.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
