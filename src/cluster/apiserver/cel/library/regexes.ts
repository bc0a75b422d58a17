import { compilePattern, type Pattern } from "../../../../api/pattern.ts";
import { matching } from "../cost/cost-rule.ts";
import { list, string } from "../types/cel-type.ts";
import { CelError, type CelValue, listOf } from "../values/cel-value.ts";
import { type CelFunction, integer, method, text } from "./overload.ts";

const cost = matching({ isResultSized: true });

function withPattern(source: string, use: (pattern: Pattern) => CelValue): CelValue {
  const compiled = compilePattern(source);
  return compiled.ok ? use(compiled.pattern) : new CelError(`Illegal regex: ${compiled.error}`);
}

function findAll(value: string, source: string, limit?: bigint): CelValue {
  const most = limit === undefined || limit < 0n ? undefined : Number(limit);
  return withPattern(source, (pattern) => listOf(pattern.findAll(value, most)));
}

/** The library of regular expressions. */
export const regexFunctions: readonly CelFunction[] = [
  {
    name: "find",
    overloads: [
      method({ id: "string_find_string", takes: [text, text], gives: string, cost }, (value, source) =>
        withPattern(source, (pattern) => pattern.find(value) ?? ""),
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
