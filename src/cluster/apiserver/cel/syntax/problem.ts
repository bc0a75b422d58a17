/** What is wrong with an expression, and where: an offset into its text; negative if at no place. */
export interface Problem {
  readonly at: number;
  readonly message: string;
}

const longestSnippet = 16_384;

/** Returns problems as Kubernetes shows them: with line and column, and a mark below the line. */
export function formatProblems(text: string, problems: readonly Problem[]): string {
  const sorted = problems.toSorted((left, right) => left.at - right.at);
  return sorted.map((problem) => formatProblem(text, problem)).join("\n");
}

function formatProblem(text: string, { at, message }: Problem): string {
  if (at < 0) return `ERROR: <input>:-1:0: ${message}`;
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf("\n") + 1;
  const lineNumber = before.split("\n").length;
  const prefix = Array.from(before.slice(lineStart));
  const head = `ERROR: <input>:${lineNumber}:${prefix.length + 1}: ${message}`;
  const lineEnd = text.indexOf("\n", at);
  const line = text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd).replaceAll("\t", " ");
  if (line.length > longestSnippet) return head;
  const marked = Array.from(line)[prefix.length] ?? "";
  const dots = prefix.map((character) => (isWide(character) ? "\uFF0E" : ".")).join("");
  return `${head}\n | ${line}\n | ${dots}${isWide(marked) ? "\uFF3E" : "^"}`;
}

/** Characters outside of ASCII are shown as wide. */
function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}
