import { compilePattern, mostStepsAtOnce, type Pattern } from "../../../../api/pattern.ts";
import { matching, reading, searchingText } from "../cost/cost-rule.ts";
import { bool, int, parameter } from "../types/cel-type.ts";
import { CelError, type CelValue } from "../values/cel-value.ts";
import { sizeOf } from "../values/value-size.ts";
import {
  binary,
  type CelFunction,
  form,
  listOfType,
  mapOfType,
  method,
  type Parameter,
  Steps,
  text,
} from "./overload.ts";
import { tooLong } from "./regexes.ts";

const a = parameter("A");
const b = parameter("B");

/**
 * What has a size, by the name that overloads use. The first is what upstream takes the items of an empty list for, of
 * which nothing else is known.
 */
const sized: Readonly<Record<string, Parameter>> = {
  bytes: binary,
  list: listOfType(a),
  map: mapOfType(a, b),
  string: text,
};
const size = (value: CelValue) => BigInt(sizeOf(value));

/** Before evaluation the length of the part counts; afterwards that of the whole, as upstream counts it. */
const affix = { estimate: reading(1).estimate, actual: reading(0).actual };
const match = matching({ isResultSized: false });

/** Reports whether a text matches a pattern; refuses one that is no pattern. */
function matches(value: string, source: string): CelValue | Steps {
  const compiled = compilePattern(source);
  if (!compiled.ok) return new CelError(compiled.error);
  const { pattern } = compiled;
  if (pattern.stepsFor(value) <= mostStepsAtOnce) return pattern.matches(value);
  return new Steps(matchInSteps(pattern, value, source));
}

function* matchInSteps(pattern: Pattern, value: string, source: string): Generator<undefined, CelValue> {
  return (yield* pattern.matchesInSteps(value)) ?? tooLong(value, source);
}

/** The functions on texts, bytes and sizes that every CEL has. */
export const textFunctions: readonly CelFunction[] = [
  {
    name: "size",
    overloads: Object.entries(sized).flatMap(([name, argument]) => [
      form({ id: `size_${name}`, takes: [argument], gives: int }, size),
      method({ id: `${name}_size`, takes: [argument], gives: int }, size),
    ]),
  },
  {
    name: "contains",
    overloads: [
      method(
        { id: "contains_string", takes: [text, text], gives: bool, cost: searchingText },
        (value, part) => value.includes(part),
      ),
    ],
  },
  {
    name: "startsWith",
    overloads: [
      method({ id: "starts_with_string", takes: [text, text], gives: bool, cost: affix }, (value, part) =>
        value.startsWith(part),
      ),
    ],
  },
  {
    name: "endsWith",
    overloads: [
      method({ id: "ends_with_string", takes: [text, text], gives: bool, cost: affix }, (value, part) =>
        value.endsWith(part),
      ),
    ],
  },
  {
    name: "matches",
    overloads: [
      form({ id: "matches", takes: [text, text], gives: bool, cost: match }, matches),
      method({ id: "matches_string", takes: [text, text], gives: bool, cost: match }, matches),
    ],
  },
];
