const isDigit = (character: string) => /\p{Nd}/u.test(character);
const isLetter = (character: string) => /\p{L}/u.test(character);

/** The order of go-yaml: numbers in keys count as numbers, and letters come after other characters. */
export function compareKeys(one: string, other: string): number {
  const [a, b] = [Array.from(one), Array.from(other)];
  let afterDigit = false;
  for (let index = 0; index < a.length && index < b.length; index++) {
    const [left = "", right = ""] = [a[index], b[index]];
    if (left !== right) return compareAt([a, b], index, afterDigit);
    afterDigit = isDigit(left);
  }
  return a.length - b.length;
}

function compareAt([a, b]: readonly [string[], string[]], index: number, afterDigit: boolean): number {
  const [left, right] = [a[index] ?? "", b[index] ?? ""];
  const order = left < right ? -1 : 1;
  const letters = Number(isLetter(left)) + Number(isLetter(right));
  if (letters === 2) return order;
  if (letters === 1) return isLetter(left) === afterDigit ? -1 : 1;
  const isZeroInNumber = [left, right].includes("0") && hasNonZeroBefore(a, index);
  return compareNumbers(numberAt(a, index, isZeroInNumber), numberAt(b, index, isZeroInNumber)) || order;
}

interface FoundNumber {
  readonly value: number;
  readonly end: number;
}

const compareNumbers = (one: FoundNumber, other: FoundNumber) =>
  one.value - other.value || one.end - other.end;

function hasNonZeroBefore(text: readonly string[], index: number): boolean {
  for (let at = index - 1; at >= 0 && isDigit(text[at] ?? ""); at--) if (text[at] !== "0") return true;
  return false;
}

function numberAt(text: readonly string[], start: number, isContinued: boolean): FoundNumber {
  let value = isContinued ? 1 : 0;
  let end = start;
  while (end < text.length && isDigit(text[end] ?? "")) value = value * 10 + Number(text[end++]);
  return { value, end };
}
