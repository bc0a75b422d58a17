import {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
} from "../../../../api/names.ts";
import { labelValueProblems, qualifiedNameProblems } from "../../../../api/labels/label-syntax.ts";
import { hasFormat } from "../../custom-resources/structural/value-format.ts";
import type { CostRule } from "../cost/cost-rule.ts";
import { scaled, unknownSize } from "../cost/cost-range.ts";
import { list, opaque, optional, string } from "../types/cel-type.ts";
import { listOf, none, type Opaque, Optional } from "../values/cel-value.ts";
import { sizeOf } from "../values/value-size.ts";
import { type CelFunction, form, instanceOf, method, text } from "./overload.ts";

const typeName = "kubernetes.NamedFormat";
const type = opaque(typeName);
const longestPattern = 128;

/** A named format of texts. */
class FormatValue implements Opaque {
  readonly kind = "opaque";
  readonly typeName = typeName;
  readonly size = 1;
  readonly name: string;
  readonly problems: (value: string) => readonly string[];

  constructor(name: string, problems: (value: string) => readonly string[]) {
    this.name = name;
    this.problems = problems;
  }

  equals(other: Opaque): boolean {
    return other instanceof FormatValue && this.name === other.name;
  }
}

type Check = (value: string) => readonly string[];

/** Prefixes of names may end with a dash. */
const asPrefix =
  (check: Check): Check =>
  (value) =>
    check(value.endsWith("-") ? `${value.slice(0, -1)}a` : value);
const formatted =
  (format: string, problem: string): Check =>
  (value) =>
    hasFormat(value, format) ? [] : [problem];

const checks: Readonly<Record<string, Check>> = {
  dns1123Label: dns1123LabelProblems,
  dns1123Subdomain: dns1123SubdomainProblems,
  dns1035Label: dns1035LabelProblems,
  qualifiedName: qualifiedNameProblems,
  dns1123LabelPrefix: asPrefix(dns1123LabelProblems),
  dns1123SubdomainPrefix: asPrefix(dns1123SubdomainProblems),
  dns1035LabelPrefix: asPrefix(dns1035LabelProblems),
  labelValue: labelValueProblems,
  uri: formatted("uri", "invalid URI for request"),
  uuid: formatted("uuid", "does not match the UUID format"),
  byte: formatted("byte", "invalid base64"),
  date: formatted("date", "invalid date"),
  datetime: formatted("datetime", "invalid datetime"),
};
const formats: ReadonlyMap<string, FormatValue> = new Map(
  Object.entries(checks).map(([name, check]) => [name, new FormatValue(name, check)]),
);

/** The lengths of the patterns that formats are counted as. */
const patternLengths: Readonly<Record<string, number>> = {
  dns1123Label: 30,
  dns1123LabelPrefix: 30,
  dns1035Label: 30,
  dns1035LabelPrefix: 30,
  dns1123Subdomain: 60,
  dns1123SubdomainPrefix: 60,
  qualifiedName: 60,
  labelValue: 40,
};

const format = instanceOf(type, FormatValue);
const validating: CostRule = {
  estimate: ([, value]) => ({
    cost: scaled(scaled(value?.size ?? unknownSize, 0.1), longestPattern * 0.25),
  }),
  actual: ([used = null, value = null]) => {
    const length =
      used instanceof FormatValue ? (patternLengths[used.name] ?? longestPattern) : longestPattern;
    return Math.ceil((1 + sizeOf(value)) * 0.1) * Math.ceil(length * 0.25);
  },
};

/** The library of named formats. */
export const formatFunctions: readonly CelFunction[] = [
  ...Array.from(formats, ([name, value]) => ({
    name: `format.${name}`,
    overloads: [form({ id: `format.${name}`, takes: [], gives: type }, () => value)],
  })),
  {
    name: "format.named",
    overloads: [
      form({ id: "format-named", takes: [text], gives: optional(type) }, (name) => {
        const found = formats.get(name);
        return found === undefined ? none : new Optional(found);
      }),
    ],
  },
  {
    name: "validate",
    overloads: [
      method(
        { id: "format-validate", takes: [format, text], gives: optional(list(string)), cost: validating },
        ({ problems }, value) => {
          const found = problems(value);
          return found.length === 0 ? none : new Optional(listOf(found));
        },
      ),
    ],
  },
];
