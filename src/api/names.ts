/** The problems of a name as Kubernetes reports them; empty if it is valid. */
export type NameProblems = readonly string[];

/** A check of one text against one syntax. */
export type NameCheck = (text: string) => NameProblems;

const labelPattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomainPattern = `${labelPattern}(\\.${labelPattern})*`;
const dns1035Pattern = "[a-z]([-a-z0-9]*[a-z0-9])?";

const wholly = (pattern: string): RegExp => new RegExp(`^${pattern}$`);
const labelSyntax = wholly(labelPattern);
const subdomainSyntax = wholly(subdomainPattern);
const dns1035Syntax = wholly(dns1035Pattern);

/** Kubernetes' sentence about a syntax, with the pattern and examples it always shows. */
export function syntaxProblem(rule: string, pattern: string, examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(" or ");
  return `${rule} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

function lengthProblems(text: string, limit: number): string[] {
  return text.length > limit ? [`must be no more than ${limit} characters`] : [];
}

/** DNS-1123 label: namespaces, container and volume names. */
export function dns1123LabelProblems(text: string): NameProblems {
  const problems = lengthProblems(text, 63);
  if (labelSyntax.test(text)) return problems;
  if (subdomainSyntax.test(text)) return [...problems, "must not contain dots"];
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', " +
    "and must start and end with an alphanumeric character";
  return [...problems, syntaxProblem(rule, labelPattern, ["my-name", "123-abc"])];
}

/** DNS-1123 subdomain: the names of most objects. */
export function dns1123SubdomainProblems(text: string): NameProblems {
  const problems = lengthProblems(text, 253);
  if (subdomainSyntax.test(text)) return problems;
  return [...problems, subdomainSyntaxProblem];
}

/** The syntax error of `dns1123SubdomainProblems`, for checks that report lengths differently. */
export const subdomainSyntaxProblem: string = syntaxProblem(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', " +
    "and must start and end with an alphanumeric character",
  subdomainPattern,
  ["example.com"],
);

const wildcardPattern = `\\*\\.${subdomainPattern}`;
const wildcardSyntax = wholly(wildcardPattern);

/** The host of a rule or certificate: a DNS subdomain, whose first label may be `*`. */
export function hostNameProblems(text: string): NameProblems {
  if (!text.includes("*")) return dns1123SubdomainProblems(text);
  const problems = lengthProblems(text, 253);
  if (wildcardSyntax.test(text)) return problems;
  const rule =
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of " +
    "lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
  return [...problems, syntaxProblem(rule, wildcardPattern, ["*.example.com"])];
}

/** DNS-1035 label: the names of Services. */
export function dns1035LabelProblems(text: string): NameProblems {
  const problems = lengthProblems(text, 63);
  if (dns1035Syntax.test(text)) return problems;
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', " +
    "start with an alphabetic character, and end with an alphanumeric character";
  return [...problems, syntaxProblem(rule, dns1035Pattern, ["my-name", "abc-123"])];
}

const portNameRules: readonly { readonly holds: (text: string) => boolean; readonly problem: string }[] = [
  { holds: (text) => text.length <= 15, problem: "must be no more than 15 characters" },
  {
    holds: (text) => /^[-a-z0-9]+$/.test(text),
    problem: "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
  },
  { holds: (text) => /[a-z]/.test(text), problem: "must contain at least one letter (a-z)" },
  { holds: (text) => !text.includes("--"), problem: "must not contain consecutive hyphens" },
  {
    holds: (text) => !text.startsWith("-") && !text.endsWith("-"),
    problem: "must not begin or end with a hyphen",
  },
];

/** IANA service name: the names of container and Service ports. */
export function portNameProblems(text: string): NameProblems {
  return portNameRules.filter((rule) => !rule.holds(text)).map((rule) => rule.problem);
}

/** Problems of a `generateName`: a trailing dash is fine there, because something will follow it. */
export function generateNameProblems(prefix: string, check: NameCheck): NameProblems {
  return check(prefix.length > 1 && prefix.endsWith("-") ? `${prefix.slice(0, -2)}a` : prefix);
}

/** Any text that fits into a URL as one segment: the names of roles and bindings. */
export function pathSegmentProblems(text: string): NameProblems {
  if (text === "." || text === "..") return [`may not be '${text}'`];
  return ["/", "%"]
    .filter((character) => text.includes(character))
    .map((character) => `may not contain '${character}'`);
}
