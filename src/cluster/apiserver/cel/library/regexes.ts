import { compilePattern, mostMatchSteps, type Pattern } from "../../../../api/pattern.ts";
import { matching } from "../cost/cost-rule.ts";
import { list, string } from "../types/cel-type.ts";
import { CelError, type CelValue, listOf } from "../values/cel-value.ts";
import { type CelFunction, integer, method, text } from "./overload.ts";

const cost = matching({ isResultSized: true });

/** Uses a pattern on a text, unless it is no pattern or the text is too long for it. */
export function withPattern(source: string, value: string, use: (pattern: Pattern) => CelValue): CelValue {
  const compiled = compilePattern(source);
  if (!compiled.ok) return new CelError(`Illegal regex: ${compiled.error}`);
  if (compiled.pattern.stepsFor(value) > mostMatchSteps)
    return new CelError(`a text of ${value.length} characters is too long for the regex: ${source}`);
  return use(compiled.pattern);
}

function findAll(value: string, source: string, limit?: bigint): CelValue {
  const most = limit === undefined || limit < 0n ? undefined : Number(limit);
  return withPattern(source, value, (pattern) => listOf(pattern.findAll(value, most)));
}

/** The library of regular expressions. */
export const regexFunctions: readonly CelFunction[] = [
  {
    name: "find",
    overloads: [
      method({ id: "string_find_string", takes: [text, text], gives: string, cost }, (value, source) =>
        withPattern(source, value, (pattern) => pattern.find(value) ?? ""),
      ),
    ],
  },
  {
    name: "findAll",
    overloads: [
      method(
        { id: "string_find_all_string", takes: [text, text], gives: list(string), cost },
        (value, source) => findAll(value, source),
      ),
      method(
        { id: "string_find_all_string_int", takes: [text, text, integer], gives: list(string), cost },
        findAll,
      ),
    ],
  },
];
