import { compilePattern, type Pattern } from "../../../../api/pattern.ts";
import { matching } from "../cost/cost-rule.ts";
import { list, string } from "../types/cel-type.ts";
import { CelError, type CelValue, listOf } from "../values/cel-value.ts";
import { type CelFunction, integer, method, Steps, text } from "./overload.ts";

const cost = matching({ isResultSized: true });

/** Refuses a text whose match would take too long. */
export function tooLong(value: string, source: string): CelError {
  return new CelError(`a text of ${value.length} characters is too long for the regex: ${source}`);
}

interface Search {
  readonly value: string;
  readonly source: string;
  readonly limit?: number | undefined;
}

function find(search: Search, result: (found: readonly string[]) => CelValue): CelValue | Steps {
  const compiled = compilePattern(search.source);
  if (!compiled.ok) return new CelError(`Illegal regex: ${compiled.error}`);
  return new Steps(findInSteps(compiled.pattern, search, result));
}

function* findInSteps(
  pattern: Pattern,
  { value, source, limit }: Search,
  result: (found: readonly string[]) => CelValue,
): Generator<undefined, CelValue> {
  const found = yield* pattern.findAll(value, limit);
  return found === undefined ? tooLong(value, source) : result(found);
}

function findAll(value: string, source: string, limit?: bigint): CelValue | Steps {
  const most = limit === undefined || limit < 0n ? undefined : Number(limit);
  return find({ value, source, limit: most }, listOf);
}

/** The library of regular expressions. */
export const regexFunctions: readonly CelFunction[] = [
  {
    name: "find",
    overloads: [
      method({ id: "string_find_string", takes: [text, text], gives: string, cost }, (value, source) =>
        find({ value, source, limit: 1 }, ([first = ""]) => first),
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
