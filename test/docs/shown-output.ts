import { maskVolatile } from "../kubectl/mask-volatile.ts";

/**
 * Whether a command printed what a page shows. Names of Pods, their ReplicaSets and nodes, ages and the like may differ; `…` in a shown line
 * stands for any text, a line of its own for any lines.
 */
export function isAsShown(shown: string, printed: string): boolean {
  const pattern = masked(shown)
    .split("\n")
    .map((line) => (line === "…" ? "(?:.*\n)*?" : `${line.split("…").map(literally).join(".*")}\n`))
    .join("");
  return new RegExp(`^${pattern}$`).test(`${masked(printed)}\n`);
}

const chosenByCluster: readonly (readonly [RegExp, string])[] = [
  [/\b([a-z]+)-[a-z0-9]{8,10}-[a-z0-9]{5}\b/g, "$1-<hash>-<pod>"],
  [/(?<=pod-template-hash=)[a-z0-9]+/g, "<hash>"],
  [/\b([a-z]+)-(?=[a-z]*\d)[a-z0-9]{8,10}\b/g, "$1-<hash>"],
  [/\bnode-\d+\b/g, "node-<n>"],
  // Cells are as wide as the widest of the above.
  [/ {2,}/g, "  "],
];

function masked(text: string): string {
  const known = maskVolatile(text.trimEnd());
  return chosenByCluster.reduce((rest, [pattern, word]) => rest.replaceAll(pattern, word), known);
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
