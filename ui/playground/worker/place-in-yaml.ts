/** A place in a text of YAML where something is typed. */
export interface YamlPlace {
  /** The keys around it, the outermost first; elements of lists have none. */
  readonly path: readonly string[];
  /** The key whose value is typed; absent: a key is typed. */
  readonly valueKey?: string;
  /** What there is of the word already. */
  readonly typed: string;
}

interface Level {
  readonly indent: number;
  readonly key: string;
}

const separator = /^---(?:\s.*)?$/;

/** The document of a text that has a place in it: its own text, and what of it is before the place. */
export function documentAt(text: string, at: number): { readonly document: string; readonly before: string } {
  const linesBefore = text.slice(0, at).split("\n");
  const start = linesBefore.findLastIndex((line) => separator.test(line)) + 1;
  const before = linesBefore.slice(start).join("\n");
  const [after = ""] = text.slice(at).split(/\n---(?:\s|$)/, 1);
  return { document: before + after, before };
}

/** Finds the keys around the end of a document, which may be incomplete, by how far its lines are indented. */
export function placeAtEnd(before: string): YamlPlace {
  const lines = before.split("\n");
  const levels: Level[] = [];
  for (const line of lines.slice(0, -1)) {
    if (/^\s*(?:#.*)?$/.test(line)) continue;
    const { indent, rest } = enter(levels, line);
    const [, key] = /^"?([\w./-]+)"?:(?:\s|$)/.exec(rest) ?? [];
    if (key !== undefined) levels.push({ indent, key });
  }
  const { rest } = enter(levels, lines.at(-1) ?? "");
  const inLine = placeInLine(rest);
  return { ...inLine, path: [...levels.map(({ key }) => key), ...inLine.path] };
}

/** Leaves the levels that a line is not part of; returns what it has behind its spaces and dashes. */
function enter(levels: Level[], line: string): { readonly indent: number; readonly rest: string } {
  let rest = line.trimStart();
  let indent = line.length - rest.length;
  const isElement = /^-(?:\s|$)/.test(rest);
  // A dash may be as far to the left as the key of its list.
  while ((levels.at(-1)?.indent ?? -1) >= indent + (isElement ? 1 : 0)) levels.pop();
  for (let dash = /^-(?:\s+|$)/.exec(rest); dash !== null; dash = /^-(?:\s+|$)/.exec(rest)) {
    indent += dash[0].length;
    rest = rest.slice(dash[0].length);
  }
  return { indent, rest };
}

/** The place at the end of a line, which may be inside braces and brackets. */
function placeInLine(line: string): YamlPlace {
  const path: (string | undefined)[] = [];
  let segment = "";
  for (const [character] of line.matchAll(/"(?:\\.|[^"\\])*"?|'[^']*'?|./g)) {
    if (character === "{" || character === "[") path.push(keyIn(segment));
    if (character === "}" || character === "]") path.pop();
    segment = /^[{}[\],]$/.test(character) ? "" : segment + character;
  }
  const keys = path.filter((key) => key !== undefined);
  const [, key, value = ""] = /^\s*"?([\w./-]+)"?:\s(.*)$/.exec(segment) ?? [];
  return key === undefined
    ? { path: keys, typed: segment.trimStart() }
    : { path: keys, valueKey: key, typed: value.trimStart() };
}

function keyIn(segment: string): string | undefined {
  return /^\s*"?([\w./-]+)"?:/.exec(segment)?.[1];
}
