import { compilePattern, mostMatchSteps } from "../../../../api/pattern.ts";
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
  text,
} from "./overload.ts";

const a = parameter("A");
const b = parameter("B");

/** What has a size, by the name that overloads use. */
const sized: Readonly<Record<string, Parameter>> = {
  string: text,
  bytes: binary,
  list: listOfType(a),
  map: mapOfType(a, b),
};
const size = (value: CelValue) => BigInt(sizeOf(value));

/** Before evaluation the length of the part counts; afterwards that of the whole, as upstream counts it. */
const affix = { estimate: reading(1).estimate, actual: reading(0).actual };
const match = matching({ isResultSized: false });

/** Reports whether a text matches a pattern; refuses one that is no pattern. */
function matches(value: string, pattern: string): CelValue {
  const compiled = compilePattern(pattern);
  if (!compiled.ok) return new CelError(compiled.error);
  if (compiled.pattern.stepsFor(value) > mostMatchSteps)
    return new CelError(`a text of ${value.length} characters is too long for the regex: ${pattern}`);
  return compiled.pattern.matches(value);
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
