import type { Completion } from "./messages.ts";

/** The line after a Tab, and what it could go on with where that is not clear. */
export interface Completed {
  readonly text: string;
  readonly choices: readonly string[];
}

/** Puts into a line what all candidates have in common; a word that is whole gets a space. */
export function completed(line: string, { current, words }: Completion): Completed {
  const [first, ...others] = words;
  if (first === undefined) return { text: line, choices: [] };
  const common = others.reduce((prefix, word) => commonPrefix(prefix, word), first);
  const text = line.slice(0, line.length - current.length) + common;
  if (others.length === 0) return { text: /[=/]$/.test(common) ? text : `${text} `, choices: [] };
  return { text, choices: common === current ? words : [] };
}

function commonPrefix(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}

/** Whether a line reads the panel Manifests. */
const readsManifest = /(\s(?:-f|--filename)[\s=]?)(?:manifest\.yaml|-)(?=\s|$)/;

/** A line for a shell and a real kubectl; what it reads from the panel Manifests comes as a here-document. */
export function copyable(line: string, manifest: string): string {
  const whole = line.trim().replace(/^k(?=\s|$)/, "kubectl");
  if (!readsManifest.test(whole)) return whole;
  const text = manifest.endsWith("\n") ? manifest : `${manifest}\n`;
  return `${whole.replace(readsManifest, "$1-")} <<'EOF'\n${text}EOF`;
}
