/** How a quantity was written, and is written again: `1500m`, `1536Mi` or `15e2`. */
export type QuantityFormat = "decimal" | "binary" | "exponent";

/** An exact amount, in units of 10⁻⁹: finer ones Kubernetes rounds away from zero. */
export interface Quantity {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
}

export const zero: Quantity = { nanos: 0n, format: "decimal" };

const one = 10n ** 9n;
const maxInt64 = 2n ** 63n - 1n;

/** Powers of ten and of two by suffix. */
const decimalSuffixes: ReadonlyMap<string, number> = new Map([
  ["n", -9],
  ["u", -6],
  ["m", -3],
  ["", 0],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
  ["P", 15],
  ["E", 18],
]);
const binarySuffixes: ReadonlyMap<string, number> = new Map(
  ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].map((suffix, index) => [suffix, 10 * (index + 1)]),
);

// Both limits keep hostile input from becoming numbers of a million digits.
const longestText = 256;
const largestExponent = 1000;

/** The pieces of a quantity's text. */
export interface QuantityText {
  readonly negative: boolean;
  /** Digits before the point without leading zeros, and after it. */
  readonly whole: string;
  readonly fraction: string;
  readonly format: QuantityFormat;
  /** The suffix as a power: of two for `binary`, else of ten. */
  readonly power: number;
}

/** Takes a quantity's text apart; `undefined` when it is none. */
export function readQuantityText(text: string): QuantityText | undefined {
  if (text.length > longestText) return undefined;
  const parts = /^([+-]?)0*((?:[1-9][0-9]*)?)(?:\.([0-9]*))?((?:[a-zA-Z]+[-+]?[0-9]*|[-+][0-9]*)?)$/.exec(
    text,
  );
  if (parts === null || !/^[+-]?\.?[0-9]/.test(text)) return undefined;
  const [, sign, whole = "", fraction = "", suffix = ""] = parts;
  const unit = readSuffix(suffix);
  return unit && { negative: sign === "-", whole, fraction, ...unit };
}

function readSuffix(suffix: string): Pick<QuantityText, "format" | "power"> | undefined {
  const decimal = decimalSuffixes.get(suffix);
  if (decimal !== undefined) return { format: "decimal", power: decimal };
  const binary = binarySuffixes.get(suffix);
  if (binary !== undefined) return { format: "binary", power: binary };
  const power = /^[eE]([+-]?[0-9]+)$/.exec(suffix)?.[1];
  if (power === undefined || Math.abs(Number(power)) > largestExponent) return undefined;
  return { format: "exponent", power: Number(power) };
}

/** Limits the cache; a cluster has far fewer different quantities. */
const mostParsed = 1000;

/** Caches parsed quantities: a cluster has few different ones, and each write of a Pod reads its own several times. */
const parsed = new Map<string, Quantity | undefined>();

/** Reads every form Kubernetes takes, JSON numbers included; anything else is `undefined`. */
export function parseQuantity(value: string | number | null | undefined): Quantity | undefined {
  if (value === undefined || value === null) return undefined;
  const text = String(value);
  if (parsed.has(text)) return parsed.get(text);
  const quantity = newQuantity(text);
  if (parsed.size >= mostParsed) parsed.clear();
  if (text.length <= longestText) parsed.set(text, quantity);
  return quantity;
}

function newQuantity(written: string): Quantity | undefined {
  const text = readQuantityText(written);
  if (text === undefined) return undefined;
  const { format } = text;
  const magnitude = magnitudeOf(text);
  // Below one a binary suffix would have to round, so it becomes decimal; above int64 it is capped.
  if (format === "binary" && magnitude > maxInt64 * one) return signed(maxInt64 * one, text);
  return signed(magnitude, format === "binary" && magnitude < one ? { ...text, format: "decimal" } : text);
}

function signed(magnitude: bigint, { negative, format }: QuantityText): Quantity {
  return { nanos: negative ? -magnitude : magnitude, format };
}

function magnitudeOf({ whole, fraction, format, power }: QuantityText): bigint {
  const digits = BigInt(`${whole}${fraction}`);
  const scaled = format === "binary" ? digits * 2n ** BigInt(power) : digits;
  const tens = (format === "binary" ? 0 : power) - fraction.length + 9;
  return tens >= 0 ? scaled * 10n ** BigInt(tens) : divideUp(scaled, 10n ** BigInt(-tens));
}

/** Division that rounds away from zero. */
function divideUp(amount: bigint, divisor: bigint): bigint {
  const quotient = amount / divisor;
  if (amount % divisor === 0n) return quotient;
  return amount < 0n ? quotient - 1n : quotient + 1n;
}

/** Less than, equal to or greater than zero, as `a` is to `b`. */
export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  if (a.nanos === b.nanos) return 0;
  return a.nanos < b.nanos ? -1 : 1;
}

/** The sum, written like `a` unless that is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos + b.nanos, format: a.nanos === 0n ? b.format : a.format };
}

/** The difference, written like `a` unless that is zero. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos - b.nanos, format: a.nanos === 0n ? b.format : a.format };
}

/** The amount in whole units, rounded away from zero: bytes, Pods. */
export function wholeUnits(quantity: Quantity): number {
  return Number(divideUp(quantity.nanos, one));
}

/** Reports whether the amount is a whole number of units. */
export function isWhole({ nanos }: Quantity): boolean {
  return nanos % one === 0n;
}

/** The amount in thousandths, rounded away from zero: what CPU is counted in. */
export function milliUnits(quantity: Quantity): number {
  return Number(divideUp(quantity.nanos, one / 1000n));
}
