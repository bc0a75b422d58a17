import { type FieldError, invalid } from "../field-error.ts";
import {
  dns1123SubdomainProblems,
  type NameProblems,
  subdomainSyntaxProblem,
  syntaxProblem,
} from "../names.ts";

const keyPattern = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const keySyntax = new RegExp(`^${keyPattern}$`);
const keyProblem = syntaxProblem(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  keyPattern,
  ["MyName", "my.name", "123-abc"],
);
const valueProblem = syntaxProblem(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', " +
    "and must start and end with an alphanumeric character",
  `(${keyPattern})?`,
  ["MyValue", "my_value", "12345"],
);

// Label syntax counts bytes where names count characters; only the wording differs, valid ones are ASCII.
const tooLong = (limit: number): string => `must be no more than ${limit} bytes`;

/** Problems of a qualified name, `[prefix/]name`: label and annotation keys, finalizers, resource names. */
export function qualifiedNameProblems(text: string): NameProblems {
  const [first = "", second, ...rest] = text.split("/", 3);
  if (rest.length > 0) {
    return [
      `a valid label key ${keyProblem} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  return second === undefined
    ? namePartProblems(first)
    : [...prefixProblems(first), ...namePartProblems(second)];
}

function prefixProblems(prefix: string): NameProblems {
  if (prefix === "") return ["prefix part must be non-empty"];
  const problems = prefix.length > 253 ? [`prefix part ${tooLong(253)}`] : [];
  const wellFormed = !dns1123SubdomainProblems(prefix).includes(subdomainSyntaxProblem);
  return wellFormed ? problems : [...problems, `prefix part ${subdomainSyntaxProblem}`];
}

function namePartProblems(name: string): NameProblems {
  const problems: string[] = [];
  if (name === "") problems.push("name part must be non-empty");
  else if (name.length > 63) problems.push(`name part ${tooLong(63)}`);
  if (!keySyntax.test(name)) problems.push(`name part ${keyProblem}`);
  return problems;
}

/** Problems of a label value: up to 63 characters, or empty. */
export function labelValueProblems(text: string): NameProblems {
  const problems = text.length > 63 ? [tooLong(63)] : [];
  return text === "" || keySyntax.test(text) ? problems : [...problems, valueProblem];
}

/** Validates a whole set of labels; errors carry the path of the set, as Kubernetes does. */
export function validateLabels(
  labels: Readonly<Record<string, string>> | null | undefined,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels ?? {})) {
    for (const problem of qualifiedNameProblems(key)) errors.push(invalid(path, key, problem));
    for (const problem of labelValueProblems(value)) errors.push(invalid(path, value, problem));
  }
  return errors;
}
