import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What a command printed and how it ended. */
export interface Output {
  readonly words: string;
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** An output of the real kubectl, and when it ran. */
export interface GoldenOutput extends Output {
  readonly at: string;
}

const fileOf = (name: string) => fileURLToPath(new URL(`../golden/own-kubectl/${name}.txt`, import.meta.url));

/** Each line of the standard output begins with `|`, each of the errors with `!`; a `\` ends text without a line end. */
export function formatOutputs(outputs: readonly GoldenOutput[]): string {
  return outputs
    .map(({ words, code, out, err, at }) =>
      [`$ kubectl ${words}`, `# ${code} ${at}`, ...marked("|", out), ...marked("!", err), ""].join("\n"),
    )
    .join("\n");
}

function marked(mark: string, text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") return lines.slice(0, -1).map((line) => mark + line);
  return lines.map((line, index) => `${mark}${line}${index === lines.length - 1 ? "\\" : ""}`);
}

export function writeGolden(name: string, outputs: readonly GoldenOutput[]): void {
  writeFileSync(fileOf(name), formatOutputs(outputs));
}

export function readGolden(name: string): readonly GoldenOutput[] {
  return existsSync(fileOf(name)) ? parseOutputs(readFileSync(fileOf(name), "utf8")) : [];
}

function parseOutputs(text: string): readonly GoldenOutput[] {
  return text
    .split(/^\$ kubectl /m)
    .slice(1)
    .map((part) => {
      const [words = "", head = "", ...lines] = part.split("\n");
      const [, code = "", at = ""] = /^# (\d+) (\S+)$/.exec(head) ?? [];
      return { words, code: Number(code), at, out: unmarked("|", lines), err: unmarked("!", lines) };
    });
}

function unmarked(mark: string, lines: readonly string[]): string {
  return lines
    .filter((line) => line.startsWith(mark))
    .map((line) => (line.endsWith("\\") ? line.slice(1, -1) : `${line.slice(1)}\n`))
    .join("");
}
