import { reading } from "../cost/cost-rule.ts";
import { bool, int, opaque } from "../types/cel-type.ts";
import { CelError, type CelValue, type Opaque } from "../values/cel-value.ts";
import { type CelFunction, form, instanceOf, method, type Overload, text, truth } from "./overload.ts";

const typeName = "kubernetes.Semver";
const type = opaque(typeName);

/** A version such as `1.2.3-beta.1`. */
class SemverValue implements Opaque {
  readonly kind = "opaque";
  readonly typeName = typeName;
  readonly size = 1;
  readonly numbers: readonly bigint[];
  readonly prerelease: readonly string[];

  constructor(numbers: readonly bigint[], prerelease: readonly string[]) {
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  equals(other: Opaque): boolean {
    return other instanceof SemverValue && compare(this, other) === 0;
  }
}

const version = instanceOf(type, SemverValue);
const read = reading(0);
const pattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

/** Removes a leading `v` and zeros, and adds missing numbers. */
function normalized(value: string): string {
  const [, numbers = "", rest = ""] = /^v?([\d.]*)(.*)/s.exec(value) ?? [];
  const parts = numbers.split(".").map((part) => part.replace(/^0+(?=\d)/, ""));
  while (parts.length < 3) parts.push("0");
  return `${parts.join(".")}${rest}`;
}

function versionIn(value: string): SemverValue | undefined {
  const match = value.length <= 512 ? pattern.exec(value) : null;
  if (match === null) return undefined;
  const [, major = "0", minor = "0", patch = "0", prerelease] = match;
  return new SemverValue([major, minor, patch].map(BigInt), prerelease?.split(".") ?? []);
}

function semver(value: string): CelValue {
  return versionIn(value) ?? new CelError("No Major.Minor.Patch elements found");
}

function compare(left: SemverValue, right: SemverValue): number {
  for (const [index, number] of left.numbers.entries()) {
    const other = right.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  // A version comes after its prereleases.
  if (left.prerelease.length === 0 || right.prerelease.length === 0)
    return Math.sign(right.prerelease.length - left.prerelease.length);
  return comparePrereleases(left.prerelease, right.prerelease);
}

function comparePrereleases(left: readonly string[], right: readonly string[]): number {
  for (const [index, one] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(one, other);
    if (order !== 0) return order;
  }
  return left.length < right.length ? -1 : 0;
}

function compareIdentifiers(one: string, other: string): number {
  const areNumbers = [one, other].map((each) => /^\d+$/.test(each));
  if (areNumbers[0] === true && areNumbers[1] === true) return Math.sign(Number(BigInt(one) - BigInt(other)));
  if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] === true ? -1 : 1;
  return one < other ? -1 : Number(one > other);
}

function comparison(id: string, holds: (order: number) => boolean): readonly Overload[] {
  return [method({ id, takes: [version, version], gives: bool }, (a, b) => holds(compare(a, b)))];
}

/** The library of semantic versions. */
export const semverFunctions: readonly CelFunction[] = [
  {
    name: "semver",
    overloads: [
      form({ id: "string_to_semver", takes: [text], gives: type, cost: read }, semver),
      form(
        { id: "string_bool_to_semver", takes: [text, truth], gives: type, cost: read },
        (value, normalizes) => semver(normalizes ? normalized(value) : value),
      ),
    ],
  },
  {
    name: "isSemver",
    overloads: [
      form(
        { id: "is_semver_string", takes: [text], gives: bool, cost: read },
        (value) => versionIn(value) !== undefined,
      ),
      form(
        { id: "is_semver_string_bool", takes: [text, truth], gives: bool, cost: read },
        (value, normalizes) => versionIn(normalizes ? normalized(value) : value) !== undefined,
      ),
    ],
  },
  { name: "isGreaterThan", overloads: comparison("semver_is_greater_than", (order) => order > 0) },
  { name: "isLessThan", overloads: comparison("semver_is_less_than", (order) => order < 0) },
  {
    name: "compareTo",
    overloads: [
      method({ id: "semver_compare_to", takes: [version, version], gives: int }, (a, b) =>
        BigInt(compare(a, b)),
      ),
    ],
  },
  ...["major", "minor", "patch"].map((name, index) => ({
    name,
    overloads: [
      method({ id: `semver_${name}`, takes: [version], gives: int }, ({ numbers }) => numbers[index] ?? 0n),
    ],
  })),
];
