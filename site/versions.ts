import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A version of the documentation, and the pages that it has. */
export interface SiteVersion {
  readonly version: string;
  readonly pages: readonly string[];
}

/** The versions in a folder, the newest first; names that are no numbers, such as `next`, come last. */
export function versionsIn(out: string): readonly SiteVersion[] {
  return readdirSync(out)
    .filter((name) => existsSync(path.join(out, name, "pages.json")))
    .sort((one, other) => compareVersions(other, one))
    .map((version) => ({
      version,
      pages: JSON.parse(readFileSync(path.join(out, version, "pages.json"), "utf8")) as readonly string[],
    }));
}

/** Negative if the first is older. A version with a suffix is older than the one without. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [numbersOf(one), numbersOf(other)];
  for (let at = 0; at < 3; at++) {
    const difference = (first.numbers[at] ?? -1) - (second.numbers[at] ?? -1);
    if (difference !== 0) return difference;
  }
  if (first.suffix === second.suffix) return 0;
  if (first.suffix === "" || second.suffix === "") return first.suffix === "" ? 1 : -1;
  return first.suffix < second.suffix ? -1 : 1;
}

function numbersOf(version: string) {
  const [, numbers = "", suffix = ""] = /^(\d+(?:\.\d+)*)?(.*)$/.exec(version) ?? [];
  return { numbers: numbers === "" ? [] : numbers.split(".").map(Number), suffix };
}

/** The script that tells every page which versions there are. */
export function versionsScript(versions: readonly SiteVersion[]): string {
  return `globalThis.trimtabVersions = ${JSON.stringify(versions)};\n`;
}
