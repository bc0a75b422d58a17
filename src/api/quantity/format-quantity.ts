import { parseQuantity, type Quantity, type QuantityText, readQuantityText } from "./quantity.ts";

const one = 10n ** 9n;
const decimalSuffixes = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/** Writes a quantity in canonical form: the largest suffix that needs no fraction. */
export function formatQuantity({ nanos, format }: Quantity): string {
  if (nanos === 0n) return "0";
  if (format === "exponent") return formatExponent(nanos);
  const small = -1024n * one < nanos && nanos < 1024n * one;
  if (format === "binary" && !small && nanos % one === 0n)
    return suffixed(nanos / one, 1024n, binarySuffixes);
  return suffixed(nanos, 1000n, decimalSuffixes);
}

function suffixed(amount: bigint, step: bigint, suffixes: readonly string[]): string {
  const { rest, times } = divideOut(amount, step, suffixes.length - 1);
  return `${rest}${suffixes[times] ?? ""}`;
}

function formatExponent(nanos: bigint): string {
  const { rest, times } = divideOut(nanos, 1000n, Number.POSITIVE_INFINITY);
  const exponent = times * 3 - 9;
  return exponent === 0 ? `${rest}` : `${rest}e${exponent}`;
}

function divideOut(amount: bigint, step: bigint, limit: number): { rest: bigint; times: number } {
  let rest = amount;
  let times = 0;
  while (times < limit && rest % step === 0n) {
    rest /= step;
    times += 1;
  }
  return { rest, times };
}

/** Returns the form in which an API server returns a quantity it received; `undefined` when the text is not one. */
export function canonicalQuantity(value: string | number): string | undefined {
  const text = String(value).trim();
  const quantity = parseQuantity(text);
  if (quantity === undefined) return undefined;
  const read = readQuantityText(text);
  return read !== undefined && isKept(read) ? text : formatQuantity(quantity);
}

/** Upstream keeps the text if its fast path finds it canonical: `1.500` stays, `1.5` becomes 1500m. */
function isKept({ whole, fraction, format, power }: QuantityText): boolean {
  if (format === "binary") {
    const fits = 14 - whole.length - Math.trunc((power * 3) / 10) >= 0;
    return fits && fraction === "" && whole !== "" && Number(whole) % 8 !== 0;
  }
  const digits = `${whole}${fraction}`;
  const scale = power - fraction.length;
  if (whole === "" || digits.length > 18 || scale < -9) return false;
  return scale % 3 === 0 && !digits.endsWith("000");
}

const syntax = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$";
const shape = /^[+-]?[0-9]*(?:\.[0-9]*)?(?:[eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*)?$/;

/** The error that Kubernetes reports for an invalid quantity. */
export function quantityProblem(text: string): string {
  return /^[+-]?[0-9.]/.test(text) && shape.test(text)
    ? "unable to parse quantity's suffix"
    : `quantities must match the regular expression '${syntax}'`;
}
