/** The samples that count: a name, and labels they have to have. */
export interface SampleQuery {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Adds up the samples of a metric in the text format of Prometheus or OpenMetrics; `undefined` if there is none. Throws
 * nothing: lines that it cannot read belong to other metrics, and "malformed" is said only of samples that are wanted.
 */
export function sumOfSamples(
  text: string,
  { metric, labels }: SampleQuery,
): number | "malformed" | undefined {
  let sum: number | undefined;
  for (let at = 0; at < text.length;) {
    const end = text.indexOf("\n", at);
    const next = end < 0 ? text.length : end;
    if (text.startsWith(metric, at)) {
      const value = valueIn(text.slice(at + metric.length, next), labels);
      if (value === "malformed") return value;
      if (value !== undefined) sum = (sum ?? 0) + value;
    }
    at = next + 1;
  }
  return sum;
}

/** The value in the rest of a line after the name; `undefined` if the sample is another one. */
function valueIn(rest: string, wanted: SampleQuery["labels"]): number | "malformed" | undefined {
  const first = rest[0] ?? "";
  if (first !== "{" && first !== " " && first !== "\t") return undefined; // a longer name
  const braced = first === "{" ? readLabels(rest) : { labels: new Map<string, string>(), end: 0 };
  if (braced === undefined) return "malformed";
  const { labels, end } = braced;
  if (Object.entries(wanted).some(([name, value]) => (labels.get(name) ?? "") !== value)) return undefined;
  const [number = ""] = rest.slice(end).trim().split(/[ \t]/, 1);
  return readNumber(number);
}

const specials: ReadonlyMap<string, number> = new Map([
  ["+Inf", Infinity],
  ["Inf", Infinity],
  ["-Inf", -Infinity],
  ["NaN", Number.NaN],
]);

function readNumber(text: string): number | "malformed" {
  const special = specials.get(text);
  if (special !== undefined) return special;
  return /^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/.test(text) ? Number(text) : "malformed";
}

const pair = /\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(,|(?=\}))/y;

/** Reads `{name="value",…}` at the beginning, and where it ends. */
function readLabels(
  text: string,
): { readonly labels: ReadonlyMap<string, string>; readonly end: number } | undefined {
  const labels = new Map<string, string>();
  let at = 1;
  for (;;) {
    pair.lastIndex = at;
    const found = pair.exec(text);
    if (found === null) break;
    labels.set(found[1] ?? "", unescaped(found[2] ?? ""));
    at = pair.lastIndex;
  }
  const close = /\s*\}/y;
  close.lastIndex = at;
  return close.test(text) ? { labels, end: close.lastIndex } : undefined;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, character: string) => (character === "n" ? "\n" : character));
}
