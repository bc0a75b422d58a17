/** One condition on labels; a selector is the conjunction of its requirements. */
export type LabelRequirement =
  | { readonly operator: "exists" | "absent"; readonly key: string }
  | { readonly operator: "=" | "==" | "!=" | ">" | "<"; readonly key: string; readonly value: string }
  | {
      readonly operator: "in" | "notin";
      readonly key: string;
      readonly values: readonly string[];
      /** The values as a set, which `selectionOf` adds when there are many. */
      readonly lookup?: ReadonlySet<string>;
    };

/** A compiled label selector, ready to match. Without requirements it selects everything. */
export type LabelSelection =
  | { readonly selects: "nothing" }
  | { readonly selects: "matching"; readonly requirements: readonly LabelRequirement[] };

/** Labels as objects carry them. */
export type Labels = Readonly<Record<string, string>> | null | undefined;

export const nothing: LabelSelection = { selects: "nothing" };
export const everything: LabelSelection = { selects: "matching", requirements: [] };

/** A selection in canonical order: requirements by key, otherwise as given. */
export function selectionOf(requirements: readonly LabelRequirement[]): LabelSelection {
  const sorted = [...requirements].sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  return { selects: "matching", requirements: sorted.map(withLookup) };
}

/** Up to this many values, searching a list is faster than searching a set. */
const few = 16;

function withLookup(requirement: LabelRequirement): LabelRequirement {
  if (!("values" in requirement) || requirement.values.length <= few) return requirement;
  return { ...requirement, lookup: new Set(requirement.values) };
}

/** Whether labels satisfy a selection. */
export function matchesLabels(selection: LabelSelection, labels: Labels): boolean {
  if (selection.selects === "nothing") return false;
  // Runs for every Pod for each Pod to schedule: a loop, since a closure per call would dominate the cost.
  for (const requirement of selection.requirements) if (!meets(requirement, labels)) return false;
  return true;
}

function meets(requirement: LabelRequirement, labels: Labels): boolean {
  const found: unknown = labels?.[requirement.key];
  // Whatever an object inherits (`constructor`, `__proto__`) is not a string, and so not a label.
  const value = typeof found === "string" ? found : undefined;
  switch (requirement.operator) {
    case "exists":
      return value !== undefined;
    case "absent":
      return value === undefined;
    case "=":
    case "==":
      return value === requirement.value;
    case "!=":
      return value !== requirement.value;
    case "in":
      return value !== undefined && hasValue(requirement, value);
    case "notin":
      return value === undefined || !hasValue(requirement, value);
    case ">":
      return compareIntegers(value, requirement.value, (label, bound) => label > bound);
    case "<":
      return compareIntegers(value, requirement.value, (label, bound) => label < bound);
  }
}

function hasValue(
  { lookup, values }: Extract<LabelRequirement, { values: unknown }>,
  value: string,
): boolean {
  return lookup === undefined ? values.includes(value) : lookup.has(value);
}

const maxInt64 = 2n ** 63n - 1n;

/** Reads a 64-bit decimal integer, `undefined` when it is none: what `>` and `<` compare. */
export function parseLabelInteger(text: string): bigint | undefined {
  // Twenty digits are enough for any int64 without leading zeros, and a label value has at most 63 characters.
  if (text.length > 64 || !/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return value > maxInt64 || value < -maxInt64 - 1n ? undefined : value;
}

function compareIntegers(
  label: string | undefined,
  bound: string,
  holds: (label: bigint, bound: bigint) => boolean,
): boolean {
  const left = label === undefined ? undefined : parseLabelInteger(label);
  const right = parseLabelInteger(bound);
  return left !== undefined && right !== undefined && holds(left, right);
}

/** The selection as text that parses back to it, as `/scale` shows it in `status.selector`. */
export function formatLabelSelection(selection: LabelSelection): string {
  return selection.selects === "nothing" ? "" : selection.requirements.map(formatRequirement).join(",");
}

function formatRequirement(requirement: LabelRequirement): string {
  const { operator, key } = requirement;
  switch (operator) {
    case "exists":
      return key;
    case "absent":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${[...requirement.values].sort().join(",")})`;
    case "=":
    case "==":
    case "!=":
    case ">":
    case "<":
      return `${key}${operator}${requirement.value}`;
  }
}
